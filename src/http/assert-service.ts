import { IdentityError } from '../errors.ts';
import type { ApiHost } from './api-host.ts';

/** Throws `invalid_configuration` if the value is no service, and no other object that the table can serve. */
export function assertService(service: ApiHost): void {
  if (typeof Object(Object(service).serving).authenticateKey === 'function') return;
  const message = 'No service was given: call it with one, such as app.use("/api", identityRouter(service)).';
  throw new IdentityError('invalid_configuration', message);
}

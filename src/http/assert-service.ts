import { IdentityError } from '../errors.ts';
import type { IdentityService } from '../service.ts';

/** Throws `invalid_configuration` if the value is not a service. */
export function assertService(service: IdentityService): void {
  if (typeof Object(service).verifyAs === 'function') return;
  const message = 'No service was given: call it with one, such as app.use("/api", identityRouter(service)).';
  throw new IdentityError('invalid_configuration', message);
}

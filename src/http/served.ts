import type { IdentityService } from '../core.ts';
import type { ApiHost } from './api-host.ts';
import { assertService } from './api-host.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

export function servedBy(host: ApiHost, hasHostLogin = false): readonly Endpoint[] {
  assertService(host);
  // INVARIANT: an endpoint touches nothing of a service but its room, and what comes with it in `serving`.
  const service = host as IdentityService;
  return endpoints.filter(
    ({ room, needs, ownLogin = false }) =>
      (room === null || room in service) &&
      (needs?.(service, hasHostLogin) ?? true) &&
      !(hasHostLogin && ownLogin),
  );
}

export function describedBy({ serving }: ApiHost, servedEndpoints: readonly Endpoint[]): readonly Endpoint[] {
  if (!('refusal' in serving)) return servedEndpoints;
  return servedEndpoints.map((endpoint) =>
    endpoint.room === null
      ? endpoint
      : Object.assign({}, endpoint, { errors: [...(endpoint.errors ?? []), 'service_unreachable'] }),
  );
}

/** The rooms of capabilities, over HTTP: one line for each. */

import type { ReplayRooms } from '../replay/index.ts';
import { replayOperations } from '../replay/operations.ts';
import type { AccountVerbs, CallOptions } from '../service.ts';
import type { WebhookRooms } from '../webhooks/index.ts';
import { webhookOperations } from '../webhooks/operations.ts';
import type { AdminRequests } from './admin-requests.ts';
import { roomOf } from './room.ts';

/**
 * A client that manages an account of a remote service, with the methods and records of `IdentityService`. With e-mail
 * and password it signs in before the first call, and again when its token has expired, once for all calls in progress.
 * Reads, and requests with an `Idempotency-Key`, are sent once more when the connection breaks; all others are sent
 * once. Rejects as `createIdentityClient` does. A method of a capability that the service does not list is `not_found`.
 */
export type AdminClient = AccountVerbs & WebhookRooms<CallOptions> & ReplayRooms<CallOptions>;

/** Returns the methods of capabilities, by room. */
export function capabilityRooms(
  requests: AdminRequests,
): WebhookRooms<CallOptions> & ReplayRooms<CallOptions> {
  return {
    webhooks: roomOf(webhookOperations, requests),
    passports: roomOf(replayOperations, requests),
  };
}

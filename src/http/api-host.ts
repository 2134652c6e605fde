/** The objects that HTTP can serve: a whole service, or an object that only gives verdicts. */
import type { AccessTokenRooms } from '../access-tokens/index.ts';
import type { IdentityService } from '../core.ts';
import type { HostDomainRooms } from '../domains/index.ts';
import { IdentityError } from '../errors.ts';
import type { EventRooms } from '../events/index.ts';
import type { HostEvidenceRooms } from '../evidence/index.ts';
import type { HostIdentityRooms } from '../identity/rooms.ts';
import type { HostPeopleRooms } from '../people/index.ts';
import type { VerifierRooms } from '../verifiers/index.ts';

/** A service with the optional parts that endpoints call. If a part is missing, its endpoints do not exist. */
export type ServedService = IdentityService &
  AccessTokenRooms &
  EventRooms &
  HostDomainRooms &
  HostEvidenceRooms &
  HostIdentityRooms &
  HostPeopleRooms &
  VerifierRooms;

/** The name of a method that endpoints call, or of the property that contains the method. */
export type RoomName = Exclude<keyof ServedService, 'serving' | symbol>;

/** The parts of an object that gives verdicts, for use by a binding to HTTP only. */
export interface VerdictServing
  extends Pick<
    IdentityService['serving'],
    'authenticateKey' | 'countVerifications' | 'metrics' | 'authzen' | 'log' | 'deadlineMs'
  > {
  /**
   * Returns an error of the caller that another service has reported, such as a refused API key or a used-up rate. HTTP
   * calls this method after the API key was accepted. If there is such an error, HTTP reports it instead of an error of
   * the body.
   */
  readonly refusal: () => Promise<IdentityError | undefined>;
}

/** An object that gives verdicts. An endpoint exists if the object has its method. */
export interface VerdictHost extends Partial<Pick<IdentityService, 'verify' | 'verifyBatch'>> {
  /**
   * Checks that verdicts can be given now.
   *
   * @throws {Error} Otherwise. `GET /health/ready` then answers 503.
   */
  health?(): Promise<unknown>;
  readonly serving: VerdictServing;
}

/** An object that HTTP can serve. */
export type ApiHost = IdentityService | VerdictHost;

/**
 * Checks that HTTP can serve the value.
 *
 * @throws {IdentityError} `invalid_configuration` if the value is not a service or another object that HTTP can serve.
 */
export function assertService(service: ApiHost): void {
  if (typeof Object(Object(service).serving).authenticateKey === 'function') return;
  const message = 'No service was given: call it with one, such as app.use("/api", identityRouter(service)).';
  throw new IdentityError('invalid_configuration', message);
}

/** The objects that the table serves: a whole service, or an object that gives verdicts and has none of the other methods. */
import type { AccessTokenRooms } from '../access-tokens/index.ts';
import type { IdentityService } from '../core.ts';
import { IdentityError } from '../errors.ts';
import type { HostEvidenceRooms } from '../evidence/index.ts';
import type { VerifierRooms } from '../verifiers/index.ts';

/** A service with the rooms that endpoints call. An endpoint is not served where the room is missing. */
export type ServedService = IdentityService & AccessTokenRooms & HostEvidenceRooms & VerifierRooms;

/** The name of a method that endpoints call, or of the room that has it. */
export type VerbName = Exclude<keyof ServedService, 'serving' | symbol>;

/** The parts of an object that gives verdicts which only a binding to HTTP uses. */
export interface VerdictServing
  extends Pick<
    IdentityService['serving'],
    'authenticateKey' | 'countVerifications' | 'metrics' | 'authzen' | 'log' | 'deadlineMs'
  > {
  /**
   * Returns an error that comes before the errors of the body and is known only after the key was accepted. An object
   * that asks a service elsewhere may learn there that the key is refused or that its rate is used up.
   */
  readonly refusal: () => Promise<IdentityError | undefined>;
}

/** An object that gives verdicts. An endpoint is served where the object has its method. */
export interface VerdictHost extends Partial<Pick<IdentityService, 'verify' | 'verifyBatch'>> {
  /** Rejects with the error because of which no verdict can be given now. */
  health?(): Promise<unknown>;
  readonly serving: VerdictServing;
}

/** An object that the table serves. */
export type ApiHost = IdentityService | VerdictHost;

/** Throws `invalid_configuration` if the value is no service, and no other object that the table can serve. */
export function assertService(service: ApiHost): void {
  if (typeof Object(Object(service).serving).authenticateKey === 'function') return;
  const message = 'No service was given: call it with one, such as app.use("/api", identityRouter(service)).';
  throw new IdentityError('invalid_configuration', message);
}

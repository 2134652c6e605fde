/** Defines the types of a service and of the options to create it. */
import type { Authzen } from '../base/authzen.ts';
import type { ServiceMetrics } from '../ports/metrics.ts';
import type { Logger, StorageHealth } from '../ports/storage.ts';
import type { AccountRooms, HostRooms } from './account-rooms.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Capability, RoomsOf } from './capabilities/capability.ts';
import type { Erasures } from './erasure/erasures.ts';
import type { AuthenticateManagementKey } from './keys/authenticate-management-key.ts';
import type { HostKeys } from './keys/keys.ts';
import type { As } from './open-account-rooms.ts';
import type { CoreOptions } from './options.ts';
import type { Outcomes } from './outcomes/outcomes.ts';
import type { AuthenticateHost, SessionCaller } from './shared/callers.ts';
import type { CallCounts } from './verification/rates.ts';
import type { VerifyAs, VerifyService } from './verification/verify.ts';

/** The options of `createIdentityService`. */
export interface IdentityServiceOptions<Listed extends readonly Capability[] = readonly Capability[]>
  extends CoreOptions {
  /** The optional parts of the service, such as `[webhooks({ transport }), replay()]`, in any order. Default: none. */
  readonly capabilities?: Listed;
}

/** The parts of a service that only its bindings to HTTP use. */
export interface Serving extends CallCounts {
  /**
   * Returns the caller of an API key.
   *
   * @throws {IdentityError} `unauthenticated` if the key is not valid now.
   */
  readonly authenticateKey: HostKeys['authenticate'];
  /**
   * Returns the caller of a management key.
   *
   * @throws {IdentityError} `unauthenticated` if the key is not valid now.
   */
  readonly authenticateManagement: AuthenticateManagementKey;
  /** Returns the caller for a login of the application; `undefined` without the capability `people`. */
  readonly authenticateHost: AuthenticateHost | undefined;
  /** Counts the HTTP responses; `undefined` without `metrics`. */
  readonly metrics: Pick<ServiceMetrics, 'onRequest'> | undefined;
  /** The AuthZEN settings; `undefined` without the capability. */
  readonly authzen: Authzen | undefined;
  /** The name on the sign-in button for an issuer; `undefined` without the option `oidc` of `people`. */
  readonly oidcLabel: string | undefined;
  /** `true` if members can sign in. */
  readonly logins: boolean;
  /** `open` if anyone may open an account. */
  readonly registration: 'open' | 'closed';
  /** The tables of the operations that HTTP serves. */
  readonly tables: readonly object[];
  /**
   * The functions that limit running calls, by the name of the operation. A call of a function takes a place. The
   * returned function frees the place.
   */
  readonly limits: Readonly<Record<string, (caller: SessionCaller, body: unknown) => () => void>>;
  /** Receives the messages of the service log. */
  readonly log: Logger;
  /**
   * The time limit in milliseconds of a storage call, and of each half of an HTTP request: authentication and answer.
   */
  readonly deadlineMs: number;
}

/**
 * The whole service in this process. HTTP offers the same methods. Every asynchronous method of the service and of its
 * parts can throw these codes. Its own codes are in its own documentation.
 *
 * @throws {IdentityError} `storage_unavailable` if the storage does not answer, the clock of this node is wrong, or the
 * service is closed.
 * @throws {IdentityError} `overloaded` if too many calls wait for the storage.
 * @throws {IdentityError} `invalid_configuration` for an unknown option of a call.
 * @throws {IdentityError} `invalid_request` if the service has logins, and the options name no account.
 * @throws {IdentityError} `internal` if the storage adapter has a bug.
 */
export interface IdentityService extends HostRooms, VerifyService {
  /** Manages accounts. The methods do not check the caller, so offer them to operators only. */
  readonly accounts: Accounts;
  /**
   * Returns the methods for one actor, with the same names as in `createAdminClient`. The options of a call cannot
   * change the actor.
   */
  readonly as: As;
  /**
   * Returns the verdict for the holder of an API key, as over HTTP.
   *
   * @throws {IdentityError} `insufficient_scope` without the scope `verify`.
   * @throws {IdentityError} `unauthenticated` if the key is not valid now.
   * @throws {IdentityError} The error of `verify` if there is no verdict.
   */
  readonly verifyAs: VerifyAs;
  /**
   * Says whether the agent and all its ancestors are active. The state is at most a second old. Records nothing.
   *
   * @throws {IdentityError} `storage_unavailable` if the state cannot be read now.
   */
  isActive(agent_id: string): Promise<boolean>;
  /** Takes the reported outcomes of verdicts. */
  readonly outcomes: Outcomes;
  /** Completes the erasures that have begun. */
  readonly erasures: Erasures;
  /**
   * Encrypts every stored secret with the present secret: the signing keys and the secrets of webhooks. Returns how many
   * were encrypted with another secret before.
   *
   * @throws {IdentityError} `conflict` if another process changes the keys at the same moment.
   * @throws {IdentityError} `invalid_configuration` if no secret can decrypt a valid key.
   */
  reseal(): Promise<number>;
  /** The parts that only a binding to HTTP uses. */
  readonly serving: Serving;
  /**
   * Returns what the storage guarantees.
   *
   * @throws {IdentityError} `storage_unavailable` if the storage does not answer, or its clock differs from the clock
   * of this node.
   * @throws {IdentityError} `invalid_configuration` if other nodes have another `session.secret`, or a stored key
   * cannot be decrypted.
   */
  health(): Promise<StorageHealth>;
  /** Stores what is still in memory and closes the storage. A second call does nothing. */
  close(): Promise<void>;
  /** Closes as `close` does, for `await using service = createIdentityService(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A service with the methods of the capabilities that it lists. */
export type ServiceWith<Listed extends readonly Capability[]> = Omit<IdentityService, 'as'> &
  RoomsOf<Listed, 0> & {
    /**
     * Returns the methods for one actor, with the same names as in `createAdminClient`. The options of a call cannot
     * change the actor.
     */
    readonly as: As<AccountRooms & RoomsOf<Listed, 1>>;
  };

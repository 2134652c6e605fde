/** The types of a service and of its options. */
import type { Authzen } from '../base/authzen.ts';
import type { ServiceMetrics } from '../ports/metrics.ts';
import type { Logger, StorageHealth } from '../ports/storage.ts';
import type { AccountVerbs, HostRooms } from './account-rooms.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Sessions } from './accounts/sessions.ts';
import type { As } from './as.ts';
import type { Capability, RoomsOf } from './capabilities/capability.ts';
import type { Erasures } from './erasure/erasures.ts';
import type { HostAccounts } from './hosts/host-accounts.ts';
import type { AuthenticateManagementKey } from './keys/authenticate-management-key.ts';
import type { HostKeys } from './keys/keys.ts';
import type { Links } from './members/members.ts';
import type { Oidc } from './oidc/oidc.ts';
import type { CoreOptions } from './options.ts';
import type { Outcomes } from './outcomes/outcomes.ts';
import type { Published } from './passports/published.ts';
import type { SessionCaller } from './shared/callers.ts';
import type { Signing } from './signing/signing.ts';
import type { CallCounts } from './verification/call-counts.ts';
import type { VerifyService } from './verification/verify.ts';
import type { VerifyAs } from './verification/verify-as.ts';

/** The options of `createIdentityService`. */
export interface IdentityServiceOptions<Listed extends readonly Capability[] = readonly Capability[]>
  extends CoreOptions {
  /**
   * The parts of the service beyond its core, such as `[webhooks({ transport }), replay()]`; the order has no meaning.
   * Default: none.
   */
  readonly capabilities?: Listed;
}

/** The parts of a service that its bindings to HTTP use, and an application does not. */
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
  /** Returns the caller of a login that an application lends. */
  readonly authenticateHost: HostAccounts['authenticateHost'];
  /** The counter of answers; `undefined` without `metrics`. */
  readonly metrics: Pick<ServiceMetrics, 'onRequest'> | undefined;
  /** The AuthZEN settings; `undefined` without the capability. */
  readonly authzen: Authzen | undefined;
  /** The name on the button of a sign-in with an issuer; `undefined` without `oidc`. */
  readonly oidcLabel: string | undefined;
  /** `true` if accounts can sign in. */
  readonly logins: boolean;
  /** `open` if anybody may open an account. */
  readonly registration: 'open' | 'closed';
  /** The tables of its operations. */
  readonly tables: readonly object[];
  /** The functions that take a place under the limit of an operation, by its name. Each returns a function that frees the place. */
  readonly limits: Readonly<Record<string, (caller: SessionCaller, body: unknown) => () => void>>;
  /** Receives the messages for the operator. */
  readonly log: Logger;
  /** The milliseconds that a call of the storage may take, and each half of a request: to authenticate, and to answer. */
  readonly deadlineMs: number;
}

/** The whole service in this process. HTTP is a table over it and adds nothing. */
export interface IdentityService extends HostRooms, VerifyService {
  /** Opens a session: `invalid_credentials` for a wrong e-mail and a wrong password alike. */
  readonly login: Sessions['login'];
  /** Ends the session of a token at once, on every node. */
  readonly logout: Sessions['logout'];
  /** Opens an account for anybody, if `registration` is open. */
  readonly register: Accounts['register'];
  /** Returns the facts of a link, for the person that holds it, and uses nothing. */
  readonly readLink: Links['readLink'];
  /** Uses a link: its holder signs in with a password from now on. */
  readonly acceptLink: Links['acceptLink'];
  /** Signs people in with an issuer of OpenID Connect; `not_found` without the option `oidc`. */
  readonly oidc: Oidc;
  /** Manages accounts. For operators: the caller is not checked. */
  readonly accounts: Accounts;
  /** Returns the methods for one actor, as `createAdminClient` has them. No call can change the actor. */
  readonly as: As;
  /**
   * Returns the caller of a session token.
   *
   * @throws {IdentityError} `unauthenticated` if the token is not valid now.
   */
  readonly authenticateSession: Sessions['authenticate'];
  /**
   * Returns the actor for a person that the application has signed in. The first call for an organisation of the
   * application opens its account.
   *
   * @throws {IdentityError} `invalid_request` if the login breaks a rule.
   * @throws {IdentityError} `unauthenticated` if the person may not act.
   */
  readonly actorOf: HostAccounts['actorOf'];
  /** The verdict for the holder of this key, as over HTTP; `insufficient_scope` without `verify`. */
  readonly verifyAs: VerifyAs;
  /**
   * Says whether the agent and all agents above it are active. The state is at most a second old. Records nothing.
   *
   * @throws {IdentityError} `storage_unavailable`
   */
  isActive(agent_id: string): Promise<boolean>;
  /** Takes the reported outcomes of verdicts. */
  readonly outcomes: Outcomes;
  /** The keys that the service signs with. */
  readonly signing: Signing;
  /** The documents of agents and domains that third parties may read. */
  readonly published: Published;
  /** Finishes the erasures that have begun. */
  readonly erasures: Erasures;
  /** The parts that only a binding to HTTP uses. */
  readonly serving: Serving;
  /** Returns what the storage promises. Rejects if it does not answer, or the clock of this node differs from it. */
  health(): Promise<StorageHealth>;
  /** Stores what is still in memory and closes the storage. You can close it twice. */
  close(): Promise<void>;
  /** Closes as `close` does, for `await using service = createIdentityService(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A service with the rooms of the capabilities that it lists. */
export type ServiceWith<Listed extends readonly Capability[]> = Omit<IdentityService, 'as'> &
  RoomsOf<Listed, 0> & {
    /** Returns the methods for one actor, as `createAdminClient` has them: no call names who acts, and none can change it. */
    readonly as: As<AccountVerbs & RoomsOf<Listed, 1>>;
  };

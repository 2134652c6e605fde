/** Types for the methods of an account, which are the same in process and over HTTP. */
import type { OwnAccount } from './accounts/own-account.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { Audit } from './insight/audit.ts';
import type { Verifications } from './insight/verifications.ts';
import type { HostKeys, Keys } from './keys/keys.ts';
import type { HostPassports, Passports, StateChanges } from './passports/passports.ts';
import type { Actor, CallOptions } from './shared/callers.ts';
import type { SpendCaller } from './shared/seen.ts';
import type { HostSpends, Spends } from './spending/spends.ts';

/**
 * The groups of methods that the service has in process, in the result of `service.as`, and in the clients. `Options`
 * is the type of the options of each method. In the clients, every method can also throw these codes.
 *
 * @throws {IdentityError} `unauthenticated` if the session or the API key is not valid.
 * @throws {IdentityError} `insufficient_role` if the role of the member does not allow the call.
 * @throws {IdentityError} `insufficient_scope` if the API key lacks the scope, or a key that it creates would have more
 * rights.
 * @throws {IdentityError} `rate_limited` if the account exceeds a rate of its plan.
 * @throws {IdentityError} `service_unreachable` if no answer arrives in time, or the answer does not fit the request.
 */
export interface AccountRooms<Options = CallOptions> extends StateChanges<Options>, OwnAccount<Options> {
  /** Manages the API keys. */
  readonly keys: Keys<Options>;
  /** Manages the passports of the agents. */
  readonly passports: Passports<Options>;
  /** Manages spends and holds, the amounts that verdicts have taken from budgets. */
  readonly spends: Spends<Options>;
  /** Manages approvals, which people give or refuse. */
  readonly approvals: Approvals<Options>;
  /** Reads the recorded verdicts, newest first. */
  readonly verifications: Verifications<Options>;
  /** Reads the audit trail: the changes of the account with their authors, newest first. */
  readonly audit: Audit<Options>;
}

/** The groups of methods in process. Each call names the actor in its options. */
export interface HostRooms extends AccountRooms<Actor> {
  readonly keys: HostKeys;
  readonly passports: HostPassports;
  readonly spends: HostSpends;
  readonly approvals: Approvals<SpendCaller>;
}

/** The methods of an account, in process and over HTTP alike. Types only. */
import type { IdentityEvent } from '../records/event.ts';
import type { ReadLink } from '../records/member.ts';
import type { HostOwnAccount, OwnAccount } from './accounts/own-account.ts';
import type { LogoutInput, Session } from './accounts/sessions.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { Domains, HostDomains } from './domains/domains.ts';
import type { EventQuery } from './events/event-filter.ts';
import type { Events } from './events/events.ts';
import type { Audit } from './insight/audit.ts';
import type { Verifications } from './insight/verifications.ts';
import type { HostKeys, Keys } from './keys/keys.ts';
import type { AcceptInput, AccountMembers, LinkInput } from './members/members.ts';
import type { HostPassports, Passports } from './passports/passports.ts';
import type { StateChanges } from './passports/revocation.ts';
import type { Actor, CallOptions } from './shared/callers.ts';
import type { SpendCaller } from './shared/seen.ts';
import type { HostSpends, Spends } from './spending/spends.ts';
import type { Subjects } from './subjects/subjects.ts';

/** The rooms that callers in process, an actor and the clients have; the options of each method are `Options`. */
export interface AccountRooms<Options = CallOptions> extends StateChanges<Options>, OwnAccount<Options> {
  /** The API keys. */
  readonly keys: Keys<Options>;
  /** The passports of the agents. */
  readonly passports: Passports<Options>;
  /** The amounts that verdicts have spent of budgets, or hold. */
  readonly spends: Spends<Options>;
  /** The approvals that people are asked for, and their decisions. */
  readonly approvals: Approvals<Options>;
  /** The members: people with roles, and the links with which they join. */
  readonly members: AccountMembers<Options>;
  /** The claims of domains, and their proofs. */
  readonly domains: Domains<Options>;
  /** The recorded verdicts, newest first. */
  readonly verifications: Verifications<Options>;
  /** The changes of the account, each with its author, newest first. */
  readonly audit: Audit<Options>;
  /** The subjects that intents name, and their erasure. */
  readonly subjects: Subjects<Options>;
}

/** The rooms in process: each call names the actor in its options. */
export interface HostRooms extends Omit<AccountRooms<Actor>, keyof HostOwnAccount>, HostOwnAccount {
  readonly keys: HostKeys;
  readonly passports: HostPassports;
  readonly spends: HostSpends;
  readonly approvals: Approvals<SpendCaller>;
  readonly domains: HostDomains;
  /** The events of an account, as a stream. */
  readonly events: Events;
}

/** The methods of one account: of `service.as(…)` and of the admin client. */
export interface AccountVerbs extends AccountRooms {
  /**
   * Streams the events of the account, each once, from now on or after the event `after`. After a break it continues
   * after the last event. Rejects on a permanent error, and with the reason of the signal.
   */
  events(query?: EventQuery, options?: CallOptions): AsyncIterable<IdentityEvent>;
  /** Returns the facts of a link, for the person that holds it, and uses nothing. Sent without the session. */
  readLink(input: LinkInput, options?: CallOptions): Promise<ReadLink>;
  /**
   * Uses a link: its holder signs in with the password from now on, and gets a session. Sent once, without the session of
   * this client, which continues.
   */
  acceptLink(input: AcceptInput, options?: CallOptions): Promise<Session>;
  /**
   * Ends the session, if there is one. With `everywhere` it ends every session of the account, including sessions of
   * other clients. A later call signs in again, if it can.
   */
  logout(options?: CallOptions & LogoutInput): Promise<void>;
}

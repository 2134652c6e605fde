/** Accounts. Types only, no code. */
import type { Member } from './member.ts';
import type { Instant, Plan } from './value.ts';

/** An account, which manages passports and keys. It never contains the password. */
export interface Account {
  /** The id, `acc_…`. */
  readonly id: string;
  /** The e-mail address that opened it; `null` in an account of the host. */
  readonly email: string | null;
  /** The application's own id of the account, from its login; `null` in an account with logins of its own. */
  readonly external_id: string | null;
  /** The name that the application gave the account; `null` without one. */
  readonly name: string | null;
  /** The plan, which sets the limits on keys, passports and verifications per minute. */
  readonly plan: Plan;
  /** The instant at which the account was opened. */
  readonly created_at: Instant;
}

/** An account with its usage and the limits of its plan. */
export interface AccountOverview extends Account {
  /** The current use of the limits. */
  readonly usage: {
    /** Keys that are neither revoked nor expired. */
    readonly active_keys: number;
    /** All passports, revoked ones included. */
    readonly passports: number;
    /** Members that are invited or active. */
    readonly members: number;
  };
  /** The member that asks; `null` if the caller named none. */
  readonly member: Pick<Member, 'id' | 'email' | 'name' | 'role'> | null;
  /** The limits of the plan; `null`: unlimited. */
  readonly limits: {
    /** The most active keys. */
    readonly keys: number | null;
    /** The most passports, revoked ones included. */
    readonly passports: number | null;
    /** The most verdicts over HTTP in 60 seconds. */
    readonly verifications_per_minute: number | null;
    /** The most writes over HTTP in 60 seconds. */
    readonly writes_per_minute: number | null;
  };
}

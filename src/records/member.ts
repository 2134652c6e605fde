/** The members of an account. Types only, no code. */
import type { ApiKey } from './api-key.ts';
import type { Instant, Plan, Role } from './value.ts';

/** The status of a member. A removed member is refused, and its record stays so that its id has a name. */
export type MemberStatus = 'invited' | 'active' | 'removed';

/** The way in which a member signs in: a password, OpenID Connect, or the login of the application. */
export type MemberLogin = 'password' | 'oidc' | 'host';

/** A member of an account: a person with a role. */
export interface Member {
  /** The id, `mem_…`. */
  readonly id: string;
  /** The e-mail address; `null` if none is known. */
  readonly email: string | null;
  /** The name that people see; `null` if there is none. */
  readonly name: string | null;
  /** The role, which says what the member may do. */
  readonly role: Role;
  /** The present status. */
  readonly status: MemberStatus;
  /** The way in which it signs in; `null` while invited. */
  readonly login: MemberLogin | null;
  /** The instant of the invitation, or of the founding of the account. */
  readonly created_at: Instant;
  /** The author of the invitation, a member or `operator`. `null` if a release without this field made it. */
  readonly created_by: string | null;
  /** The instant of the last change; `null` before the first. */
  readonly changed_at: Instant | null;
  /** The author of that change. */
  readonly changed_by: string | null;
}

/** A link with which a person chooses how to sign in as a member. */
export interface MemberLink {
  /** The token, `ais_link_…`, shown this once: its holder becomes the member. */
  readonly token: string;
  /** The instant from which it is refused. */
  readonly expires_at: Instant;
}

/** A new link, and the member that it is for. */
export interface NewMember {
  /** The member, which is `invited`. */
  readonly member: Member;
  /** The link to hand over. */
  readonly link: MemberLink;
}

/** The facts of a link, for the person that holds it. */
export interface ReadLink {
  /** The role that the member has, or will have. */
  readonly role: Role;
  /** The e-mail address to sign in with; `null`: the holder chooses an address. */
  readonly email: string | null;
  /** The name of the member. */
  readonly name: string | null;
  /** The instant from which the link is refused. */
  readonly expires_at: Instant;
  /** `true` if it replaces the login of an active member; `false` for an invitation. */
  readonly resets: boolean;
}

/** An account, which manages passports and keys. It never contains the password. */
export interface Account {
  /** The id, `acc_…`. */
  readonly id: string;
  /** The e-mail address that opened it; `null` in an account of the application. */
  readonly email: string | null;
  /**
   * The id that the application gave the account in its login. `null` in an account whose members sign in at the
   * service.
   */
  readonly external_id: string | null;
  /** The name that the application gave the account; `null` if there is none. */
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
    /** All passports, including revoked passports. */
    readonly passports: number;
    /** Members that are invited or active. */
    readonly members: number;
  };
  /** The member that asks; `null` if the caller named none. Absent for a management key. */
  readonly member?: Pick<Member, 'id' | 'email' | 'name' | 'role'> | null;
  /** The management key that asks; absent for other callers. */
  readonly key?: ApiKey;
  /** The limits of the plan; `null`: unlimited. */
  readonly limits: {
    /** The most active keys. */
    readonly keys: number | null;
    /** The most passports, including revoked passports. */
    readonly passports: number | null;
    /** The most verdicts over HTTP in 60 seconds. */
    readonly verifications_per_minute: number | null;
    /** The most writes over HTTP in 60 seconds. */
    readonly writes_per_minute: number | null;
  };
}

/** The person that an application has signed in, and the account for which this person acts now. */
export interface HostLogin {
  /** The application's own id of the organisation, 1 to 128 visible ASCII characters; either this or `account_id`. */
  readonly account?: string | undefined;
  /** The id of an account of the service that exists. */
  readonly account_id?: string | undefined;
  /** The application's own id of the person, 1 to 128 visible ASCII characters. */
  readonly member: string;
  /** The role of the person in this request. */
  readonly role: Role;
  /** The e-mail address of the person. It is shown, and never identifies anyone. */
  readonly email?: string | undefined;
  /** The name of the person, 1 to 100 characters. */
  readonly name?: string | undefined;
  /** The name of the organisation, 1 to 100 characters. */
  readonly account_name?: string | undefined;
}

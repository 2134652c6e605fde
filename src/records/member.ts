/** The members of an account. Types only, no code. */
import type { ApiKey } from './api-key.ts';
import type { Instant, Plan, Role } from './value.ts';

/** The status of a member. The record of a removed member remains, so that its id still has a name. */
export type MemberStatus = 'invited' | 'active' | 'removed';

/** The way in which a member signs in: with a password, with OpenID Connect, or with the login of the application. */
export type MemberLogin = 'password' | 'oidc' | 'host';

/** A member of an account: a person with a role. */
export interface Member {
  /** The id, `mem_…`. */
  readonly id: string;
  /** The e-mail address. `null` if it is not known. */
  readonly email: string | null;
  /** The name for display. `null` if there is none. */
  readonly name: string | null;
  /** The role, which says what the member may do. */
  readonly role: Role;
  /** The current status. */
  readonly status: MemberStatus;
  /** The way in which the member signs in. `null` while invited. */
  readonly login: MemberLogin | null;
  /** The instant of the invitation, or of the creation of the account. */
  readonly created_at: Instant;
  /** The author of the invitation: a member or `operator`. `null` if no author was recorded. */
  readonly created_by: string | null;
  /** The instant of the last change. `null` before the first change. */
  readonly changed_at: Instant | null;
  /** The author of the last change. */
  readonly changed_by: string | null;
}

/** A link with which a person chooses how to sign in as a member. */
export interface MemberLink {
  /** The token, `ais_link_…`, which is shown only once. Every person who has it can become the member. */
  readonly token: string;
  /** The instant at which the link expires. */
  readonly expires_at: Instant;
}

/** A new member, and the link with which the person joins. */
export interface NewMember {
  /** The member, with the status `invited`. */
  readonly member: Member;
  /** The link that you give to the person. */
  readonly link: MemberLink;
}

/** The data of a link, for the person who has it. */
export interface ReadLink {
  /** The role that the member has, or will have. */
  readonly role: Role;
  /** The e-mail address for signing in. `null`: the person chooses an address. */
  readonly email: string | null;
  /** The name of the member. */
  readonly name: string | null;
  /** The instant at which the link expires. */
  readonly expires_at: Instant;
  /** `true` if the link replaces the login of an active member, `false` for an invitation. */
  readonly resets: boolean;
}

/** An account, which manages passports and keys. It never contains the password. */
export interface Account {
  /** The id, `acc_…`. */
  readonly id: string;
  /** The e-mail address that opened the account. `null` for an account of the application. */
  readonly email: string | null;
  /**
   * The id of the account in the application, if members sign in with the login of the application. `null` if
   * the members sign in at the service.
   */
  readonly external_id: string | null;
  /** The name that the application gave the account. `null` if there is none. */
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
  /** The member that calls. `null` if the caller named none. Absent for a management key. */
  readonly member?: Pick<Member, 'id' | 'email' | 'name' | 'role'> | null;
  /** The management key that sent the request. Absent for other callers. */
  readonly key?: ApiKey;
  /** The limits of the plan. `null`: unlimited. */
  readonly limits: {
    /** The maximum number of active keys. */
    readonly keys: number | null;
    /** The maximum number of passports, including revoked passports. */
    readonly passports: number | null;
    /** The maximum number of verdicts over HTTP in 60 seconds. */
    readonly verifications_per_minute: number | null;
    /** The maximum number of writes over HTTP in 60 seconds. */
    readonly writes_per_minute: number | null;
  };
}

/** The person whom an application has signed in, and the account for which the person acts in this request. */
export interface HostLogin {
  /**
   * The application's own id of the organization, 1 to 128 visible ASCII characters. Set either this or `account_id`.
   */
  readonly account?: string | undefined;
  /** The id of an existing account of the service. */
  readonly account_id?: string | undefined;
  /** The application's own id of the person, 1 to 128 visible ASCII characters. */
  readonly member: string;
  /** The role of the person in this request. */
  readonly role: Role;
  /** The e-mail address of the person. It is only for display, and never identifies anyone. */
  readonly email?: string | undefined;
  /** The name of the person, 1 to 100 characters. */
  readonly name?: string | undefined;
  /** The name of the organization, 1 to 100 characters. */
  readonly account_name?: string | undefined;
}

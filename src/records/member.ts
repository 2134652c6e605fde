/** The members of an account. Types only, no code. */
import type { Instant, Role } from './value.ts';

/** The status of a member. A removed member is refused, and its record stays so that its id has a name. */
export type MemberStatus = 'invited' | 'active' | 'removed';

/** The way in which a member signs in: a password, OpenID Connect, or the login of the host. */
export type MemberLogin = 'password' | 'oidc' | 'host';

/** A member of an account: a person with a role. */
export interface Member {
  /** The id, `mem_…`. */
  readonly id: string;
  /** The e-mail address; `null` if none is known. */
  readonly email: string | null;
  /** The name that people see; `null` without one. */
  readonly name: string | null;
  /** The role, which says what the member may do. */
  readonly role: Role;
  /** The present status. */
  readonly status: MemberStatus;
  /** The way in which it signs in; `null` while invited. */
  readonly login: MemberLogin | null;
  /** The instant of the invitation, or of the founding of the account. */
  readonly created_at: Instant;
  /** The author of the invitation: a member, or `operator`; `null` if a release without this field made it. */
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
  /** The e-mail address to sign in with; `null`: the holder names one. */
  readonly email: string | null;
  /** The name of the member. */
  readonly name: string | null;
  /** The instant from which the link is refused. */
  readonly expires_at: Instant;
  /** `true` if it replaces the login of an active member; `false` for an invitation. */
  readonly resets: boolean;
}

/** The person of whom an issuer speaks. */
import { emailErrors, normalizeEmail } from '../../credential/email.ts';
import { IdentityError } from '../../errors.ts';
import type { OidcClaims } from '../../ports/oidc-provider.ts';
import { loginDigest, loginIdOf, passwordLoginId } from '../logins/logins.ts';
import type { LoginRecord, MemberRecord } from '../members/collections.ts';
import type { Context } from '../shared/context.ts';
import { isName } from '../shared/people.ts';

/** A person: the issuer with its own id of the person, and what it says besides. */
export interface Person {
  readonly claims: OidcClaims;
  readonly digest: string;
  /** The id of the login, which derives from the digest: one `get` finds it, and one insert keeps it unique. */
  readonly login_id: string;
  /** The e-mail of the claims, verified or not; `undefined` without one. It never says who the person is. */
  readonly email: string | undefined;
}

/** Returns the person of these claims. */
export function personOf(claims: OidcClaims): Person {
  const { iss, sub, email } = claims;
  // JSON separates the two: no other pair has this text.
  const digest = loginDigest('oidc', JSON.stringify([iss, sub]));
  const isEmail = typeof email === 'string' && emailErrors(email).length === 0;
  return { claims, digest, login_id: loginIdOf(digest), email: isEmail ? normalizeEmail(email) : undefined };
}

/** Returns what a member shows of the person; an e-mail only if the issuer has verified it. */
export function claimedNames({ claims, email }: Person): Pick<MemberRecord, 'email' | 'name'> {
  const { name, email_verified } = claims;
  return {
    email: email_verified === true ? (email ?? null) : null,
    name: isName(name) ? name : null,
  };
}

/** Makes the login of a member as this person. */
export function loginOf(
  { login_id: id, digest }: Person,
  { id: member_id, account_id }: Pick<MemberRecord, 'id' | 'account_id'>,
  created_at: string,
): LoginRecord {
  return { id, account_id, version: 1, created_at, member_id, kind: 'oidc', digest, password_hash: null };
}

/** Says whether the record is the login of this member as this person. */
export function isLoginOf(
  { id, digest, kind, member_id }: LoginRecord,
  person: Person,
  member: MemberRecord | undefined,
): member is MemberRecord {
  const isPerson = kind === 'oidc' && digest === person.digest;
  return isPerson && member?.id === member_id && member.login_id === id;
}

/** Throws `conflict` if another member of the account signs in with a password under the e-mail of this person. */
export async function assertOneSelf(
  { store }: Context,
  { email }: Person,
  { account_id, member_id }: { readonly account_id: string; readonly member_id?: string },
): Promise<void> {
  if (email === undefined) return;
  const login = await store.get('logins', passwordLoginId(email));
  if (login === undefined || login.account_id !== account_id || login.member_id === member_id) return;
  throw new IdentityError(
    'conflict',
    'A member of this account signs in with a password under this e-mail. A link of an owner for that member moves the login.',
  );
}

/** Creates the records of logins. Their ids derive from the login name, so one `get` finds a login. */
import { normalizeEmail } from '../../credential/email.ts';
import { digestText } from '../../credential/random-id.ts';
import { hashing } from '../../platform/index.ts';
import type { MemberLogin } from '../../records/member.ts';
import type { LoginRecord, MemberRecord } from './collections.ts';

/** Returns the SHA-256 of the kind and the name of a login, in hex. */
export function loginDigest(kind: MemberLogin, name: string): string {
  return hashing.sha256Hex(`${kind}\n${name}`);
}

/**
 * Returns the id of the login or link with this digest: `lgn_` and 22 base62 digits. The insert of a second login with
 * the same digest fails.
 */
export function loginIdOf(digest: string): string {
  return `lgn_${digestText(digest)}`;
}

export function passwordLoginId(email: string): string {
  return loginIdOf(passwordDigest(email));
}

export function passwordLogin(
  { id: member_id, account_id }: Pick<MemberRecord, 'id' | 'account_id'>,
  email: string,
  { password_hash, created_at }: Pick<LoginRecord, 'created_at'> & { readonly password_hash: string },
): LoginRecord {
  const digest = passwordDigest(email);
  const base = { id: loginIdOf(digest), account_id, version: 1, created_at };
  return { ...base, member_id, kind: 'password', digest, password_hash };
}

function passwordDigest(email: string): string {
  return loginDigest('password', normalizeEmail(email));
}

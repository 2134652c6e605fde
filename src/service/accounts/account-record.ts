/** The record of an account: its checked input and its public form. */
import { emailErrors, normalizeEmail } from '../../credential/email.ts';
import { passwordErrors } from '../../credential/password.ts';
import type { Change } from '../../ports/storage.ts';
import type { Account, Instant } from '../../records.ts';
import { check } from '../../schema/check.ts';
import { type Context, nowAfter } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import type { AccountRecord } from './collections.ts';

/** The credentials to sign in or to open an account. */
export interface Credentials {
  /** The e-mail, such as `ann@example.com`; upper and lower case are equal. */
  readonly email: string;
  /** The password: 12 to 128 characters at creation, any Unicode. */
  readonly password: string;
}

/** An account as operators see it. */
export interface ListedAccount extends Account {
  /** `true` if the account is disabled. */
  readonly disabled: boolean;
  /** Its own id if it registered, `operator` otherwise; `null` if a release without this field made it. */
  readonly created_by: string | null;
  /** The last change of its password, plan or state, by the account or by the operator. */
  readonly changed_at: Instant | null;
  /** The author of that change: its own id, or `operator`. */
  readonly changed_by: string | null;
}

/** Returns the credentials of a new account, with the e-mail in its canonical spelling; throws `invalid_request`. */
export function checkedCredentials(credentials: Credentials): Credentials {
  const { email, password } = check<Credentials>('RegisterRequest', credentials, (input) => [
    ...(typeof input['email'] === 'string' ? emailErrors(input['email']) : []),
    ...(typeof input['password'] === 'string' ? passwordErrors(input['password']) : []),
  ]);
  return { email: normalizeEmail(email), password };
}

/** Says whether the account was deleted. Its data is still being erased, but no caller sees it any more. */
export function isErased({ erased_at }: AccountRecord): boolean {
  return erased_at !== undefined;
}

/** Returns an account as operators see it. */
export function toListedAccount(record: AccountRecord): ListedAccount {
  // A store of JSON has records of older releases, which lack these fields.
  const { disabled_at, created_by = null, changed_at = null, changed_by = null } = record;
  return { ...toAccount(record), disabled: disabled_at !== null, created_by, changed_at, changed_by };
}

/** Returns the fields that every change of an account sets. */
export function nextChange(
  context: Context,
  found: AccountRecord,
  changed_by: string,
): Pick<AccountRecord, 'version' | 'changed_at' | 'changed_by'> {
  const changed_at = nowAfter(context, found.changed_at ?? found.created_at);
  return { version: found.version + 1, changed_at, changed_by };
}

/** Makes the step that stores the event of a changed password. */
export function passwordChanged(context: Context, { id }: AccountRecord, changed_by: string): Change {
  return eventOf(context, 'account.password_changed', {
    account_id: id,
    data: { account_id: id, changed_by },
  });
}

/** Returns the public form of an account. */
export function toAccount({ id, email, external_id, name, plan, created_at }: AccountRecord): Account {
  return { id, email, external_id, name, plan, created_at };
}

/** Makes the step that stores the event of an opened account. */
export function accountCreated(context: Context, account_id: string, changed_by: string): Change {
  return eventOf(context, 'account.created', { account_id, data: { account_id, changed_by } });
}

/** The record of an account: what may be written to it, and how it is shown. */
import { emailErrors, normalizeEmail } from '../../credential/email.ts';
import { passwordErrors } from '../../credential/password.ts';
import type { Change } from '../../ports/storage.ts';
import type { AccountRecord } from '../../ports/stored-records.ts';
import type { Account, Instant } from '../../records.ts';
import { check } from '../../schema/check.ts';
import { type Context, nowAfter } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';

/** What someone types to sign in or to open an account. */
export interface Credentials {
  /** Such as `ann@example.com`; upper and lower case are the same. */
  readonly email: string;
  /** 12 to 128 characters at creation, any Unicode. */
  readonly password: string;
}

/** An account as operators see it. */
export interface ListedAccount extends Account {
  /** Whether it is shut out. */
  readonly disabled: boolean;
  /** Its own id where it registered, else `operator`; `null` where a release before this field made it. */
  readonly created_by: string | null;
  /** The last change of its password, plan or state, by the account or by the `operator`. */
  readonly changed_at: Instant | null;
  /** Its own id, or `operator`. */
  readonly changed_by: string | null;
}

/** The credentials of an account to open, the e-mail in its one spelling; `invalid_request` for others. */
export function checkedCredentials(credentials: Credentials): Credentials {
  const { email, password } = check<Credentials>('RegisterRequest', credentials, (input) => [
    ...(typeof input['email'] === 'string' ? emailErrors(input['email']) : []),
    ...(typeof input['password'] === 'string' ? passwordErrors(input['password']) : []),
  ]);
  return { email: normalizeEmail(email), password };
}

/** Whether the account was deleted, and is being erased: for everyone it is not there. */
export function isErased({ erased_at }: AccountRecord): boolean {
  return erased_at !== undefined;
}

/** The account as operators see it. */
export function toListedAccount(record: AccountRecord): ListedAccount {
  // A store of JSON holds records of older releases, which did not say by whom.
  const { disabled_at, created_by = null, changed_at = null, changed_by = null } = record;
  return { ...toAccount(record), disabled: disabled_at !== null, created_by, changed_at, changed_by };
}

/** What a change of an account says of itself. */
export function nextChange(
  context: Context,
  found: AccountRecord,
  changed_by: string,
): Pick<AccountRecord, 'version' | 'changed_at' | 'changed_by'> {
  const changed_at = nowAfter(context, found.changed_at ?? found.created_at);
  return { version: found.version + 1, changed_at, changed_by };
}

/** The step that stores that the password of an account was changed. */
export function passwordChanged(context: Context, { id }: AccountRecord, changed_by: string): Change {
  return eventOf(context, 'account.password_changed', {
    account_id: id,
    data: { account_id: id, changed_by },
  });
}

/** The account as it is shown. */
export function toAccount({ id, email, plan, created_at }: AccountRecord): Account {
  return { id, email, plan, created_at };
}

/** Closes an account, and leaves its data for the erasure. */
import { noSuch } from '../../errors.ts';
import { type Context, nowAfter, OPERATOR } from '../shared/context.ts';
import { beginErasure, ERASED_ACCOUNT } from '../shared/erasure.ts';
import { logSecurityEvent, type SecurityFacts } from '../shared/security-log.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import { isErased } from './account-record.ts';
import type { AccountRecord } from './collections.ts';

interface Closing {
  readonly by?: string;
  readonly facts?: SecurityFacts;
  /** Rejects if the password has changed since it was checked. */
  readonly assertStill?: () => Promise<void>;
}

/**
 * Ends the sessions and keys of the account, removes its e-mail and password, and queues its erasure, in one write. A
 * second call does nothing.
 *
 * @throws {IdentityError} `not_found` if there is no data of the account.
 */
export async function closeAccount(
  context: Pick<Context, 'store' | 'clock' | 'defaultPlan' | 'log'>,
  account_id: string,
  { by = OPERATOR, facts = {}, assertStill }: Closing = {},
): Promise<void> {
  const { store } = context;
  await untilWritten(async () => {
    const base = await store.get('accounts', account_id);
    if (base !== undefined && isErased(base)) return true;
    if (base === undefined && !(await hasRecords(context, account_id))) throw noSuch('account');
    await assertStill?.();
    const closedAccount = closedRecord(context, account_id, base);
    const step =
      base === undefined
        ? insert('accounts', closedAccount)
        : replace('accounts', closedAccount, base.version);
    const result = await store.write(step, beginErasure(context, account_id, null));
    if (!result.written) return undefined;
    logSecurityEvent(context, 'account.deleted', { account_id, by, ...facts });
    return true;
  });
}

/**
 * Returns the record of a closed account. An account of the application that has no record gets one here, so that its
 * keys are refused until they are erased.
 */
function closedRecord(
  context: Pick<Context, 'clock' | 'defaultPlan'>,
  account_id: string,
  record: AccountRecord | undefined,
): AccountRecord {
  const present = context.clock.now();
  const instant = nowAfter(context, record?.created_at ?? '');
  return {
    id: account_id,
    account_id,
    created_at: record?.created_at ?? instant,
    version: (record?.version ?? present) + 1,
    token_version: (record?.token_version ?? present) + 1,
    email: '',
    external_id: null,
    name: null,
    plan: record?.plan ?? context.defaultPlan,
    disabled_at: instant,
    erased_at: instant,
    created_by: null,
    changed_at: null,
    changed_by: null,
  };
}

async function hasRecords({ store }: Pick<Context, 'store'>, account_id: string): Promise<boolean> {
  if (account_id === ERASED_ACCOUNT) return false;
  for (const collection of ['keys', 'passports', 'domains', 'webhooks', 'events'] as const) {
    const bases = await store.list(collection, { where: { account_id }, limit: 1 });
    if (bases.length > 0) return true;
  }
  return false;
}

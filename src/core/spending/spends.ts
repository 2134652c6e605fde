/** The spends of an account: how they are read, committed, released and refunded. */

import { IdentityError } from '../../errors.ts';
import type { Amount, Spend } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import type { CallOptions } from '../shared/callers.ts';
import { requireScope } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import { assertKey, type Idempotency, type OnceOptions, type ReplayOptions } from '../shared/idempotency.ts';
import { isSeen, type SpendCaller } from '../shared/seen.ts';
import type { StorePresent } from '../storage/clock-watch.ts';
import { untilWritten } from '../storage/store.ts';
import type { SpendRecord } from './collections.ts';
import type { Lapses } from './lapses.ts';
import { settledSteps, toSpend } from './lapses.ts';
import { commit, isDue, readUnits, release, type Settlement } from './settle.ts';

/** The amount of a commit or a release. */
export interface SettleInput {
  /** An exact decimal above 0; absent: all of it. */
  readonly amount?: Amount;
}

/** Reads and settles the spends of an account. `not_found` for a spend that the caller does not see. */
export interface Spends<Options = CallOptions> {
  /** Returns the present state of a spend. */
  get(decisionId: string, options?: Options): Promise<Spend>;
  /**
   * Commits a hold. The service refunds the rest of a smaller `amount`. A repeated commit with the same amount
   * returns the same spend.
   *
   * @throws {IdentityError} `conflict` for more than is held, for another amount, and after a release. For a part
   * while a resource may accept the permit of the spend, with `details.until`.
   * @throws {IdentityError} `spend_lapsed` if the hold has expired.
   */
  commit(decisionId: string, input?: SettleInput, options?: Options & OnceOptions): Promise<Spend>;
  /**
   * Releases a hold, or refunds a committed spend. You can do so in parts, as long as an amount is left. A partial
   * release that is repeated without an idempotency key returns the amount again.
   *
   * @throws {IdentityError} `conflict` for more than is left. Also while a resource may accept the permit of the spend,
   * with `details.until`.
   * @throws {IdentityError} `spend_lapsed` if the hold has expired.
   * @throws {IdentityError} `insufficient_scope` for a refund by a key without the scope `refund`.
   */
  release(decisionId: string, input?: SettleInput, options?: Options & OnceOptions): Promise<Spend>;
}

/** The methods of spends in process. */
export interface HostSpends extends Spends<SpendCaller> {
  commit(decisionId: string, input?: SettleInput, options?: SpendCaller & ReplayOptions): Promise<Spend>;
  release(decisionId: string, input?: SettleInput, options?: SpendCaller & ReplayOptions): Promise<Spend>;
}

type Settle = (record: SpendRecord, units: bigint | undefined, at: number) => Settlement | undefined;

export function createSpends(context: Context, lapses: Lapses, idempotency: Idempotency): HostSpends {
  const { store, clockWatch, retentionDays } = context;

  /** Reads the present record. A hold that is past its end lapses first. */
  async function present(decisionId: string, caller: SpendCaller, now: StorePresent): Promise<SpendRecord> {
    return untilWritten(async () => {
      const record = await store.get('spends', decisionId);
      if (record === undefined || !isSeen(context, record, caller)) throw notFound();
      if (!isDue(record, now.at)) return record;
      await lapses.lapseOne(record, now);
      return undefined;
    });
  }

  async function change(
    operation: 'commit' | 'release',
    { decisionId, given, options }: Change,
    settle: Settle,
  ): Promise<Spend> {
    const input = checkCopy<SettleInput>('SettleRequest', given);
    if (options.idempotencyKey !== undefined) assertKey(options.idempotencyKey);
    const permitted = async (now: StorePresent): Promise<SpendRecord> => {
      const record = await present(decisionId, options, now);
      if (operation === 'release') assertMayRelease(record, options);
      return record;
    };
    // A caller that has lost the permission does not get the first answer either.
    const { account_id, environment } = await permitted(await clockWatch.present());
    const request = {
      ...options,
      account_id,
      scope: `${environment}\nspends.${operation}`,
      operation: `spends.${operation}`,
      input: [decisionId, input],
    };
    return idempotency.once<Spend>(request, (write) =>
      untilWritten(async () => {
        const now = await clockWatch.present();
        const record = await permitted(now);
        const settlement = settle(record, readUnits(record, input.amount), now.at);
        if (settlement === undefined)
          return { id: decisionId, shown: toSpend(record), repeatable: toSpend(record) };
        const shown = toSpend(settlement.next);
        const made = { id: decisionId, shown, repeatable: shown };
        return (await write(made, settledSteps(context, settlement), now.signal)).written ? made : undefined;
      }),
    );
  }

  return {
    get: async (decisionId, caller = {}) =>
      toSpend(await present(decisionId, caller, await clockWatch.present())),

    commit: (decisionId, given = {}, options = {}) =>
      change('commit', { decisionId, given, options }, (record, units, at) => {
        return commit(record, units, { at, retentionDays });
      }),

    release: (decisionId, given = {}, options = {}) =>
      change('release', { decisionId, given, options }, (record, units, at) => {
        return release(record, units, { at, retentionDays });
      }),
  };
}

/** Throws unless the caller may release: a refund needs the scope `refund`. */
function assertMayRelease(record: SpendRecord, { scopes }: SpendCaller): void {
  if (scopes !== undefined) requireScope({ scopes }, wasCommitted(record) ? 'refund' : 'verify');
}

function wasCommitted({ status, committed_amount, committed_whole }: SpendRecord): boolean {
  return status === 'committed' || committed_amount !== null || committed_whole;
}

interface Change {
  readonly decisionId: string;
  readonly given: SettleInput;
  readonly options: SpendCaller & ReplayOptions;
}

function notFound(): IdentityError {
  return new IdentityError('not_found', 'There is no such spend.');
}

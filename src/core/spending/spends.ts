/** The spends of an account: how they are read, committed, released and refunded. */

import { IdentityError } from '../../errors.ts';
import type { Amount, IntentUsage, Spend } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import type { CallOptions } from '../shared/callers.ts';
import { requireScope } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import { assertKey, type Idempotency, type OnceOptions, type ReplayOptions } from '../shared/idempotency.ts';
import { isSeen, type SpendCaller } from '../shared/seen.ts';
import type { StorePresent } from '../storage/clock-watch.ts';
import { replace, untilWritten } from '../storage/store.ts';
import { isActiveAt } from '../verification/active-agent.ts';
import { createLineages } from '../verification/lineages.ts';
import type { SpendRecord } from './collections.ts';
import { commit, readUnits, readUsed } from './commit.ts';
import { settledSteps, toSpend } from './lapses.ts';
import { extend, isDue, release } from './settle.ts';
import { conflict, type Settlement } from './settlement.ts';
import type { Spending } from './spending.ts';

/** The amount of a release. */
export interface SettleInput {
  /** An exact decimal above 0; absent: all of it. */
  readonly amount?: Amount;
}

/** The amount and the usage of a commit. An absent part is committed as held. */
export interface CommitInput extends SettleInput {
  /** The usage in units that the spend has, each an exact number from 0 to 10^12. */
  readonly usage?: IntentUsage;
}

/** The new length of a hold. */
export interface ExtendInput {
  /** The seconds from now, 1 to 604,800. */
  readonly hold_seconds: number;
}

/** Reads and settles the spends of an account. `not_found` for a spend that the caller does not see. */
export interface Spends<Options = CallOptions> {
  /** Returns the present state of a spend. */
  get(decisionId: string, options?: Options): Promise<Spend>;
  /**
   * Commits a hold. The service refunds the rest of a smaller `amount` or `usage`. It charges more than the hold, up to
   * ten times, if each budget with a limit has `overrun`. A repeated commit with the same input returns the same spend.
   *
   * @throws {IdentityError} `conflict` for more than may be charged, for another amount, and after a release. For a
   * part while a resource may accept the permit of the spend, with `details.until`.
   * @throws {IdentityError} `spend_lapsed` if the hold has expired.
   */
  commit(decisionId: string, input?: CommitInput, options?: Options & OnceOptions): Promise<Spend>;
  /**
   * Extends a hold until `hold_seconds` from now. It never ends earlier than before.
   *
   * @throws {IdentityError} `conflict` for an end that is more than 604,800 seconds after `created_at`. Also after a
   * commit or a release, and while the agent or one above it is not active.
   * @throws {IdentityError} `spend_lapsed` if the hold has expired.
   */
  extend(decisionId: string, input: ExtendInput, options?: Options): Promise<Spend>;
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
  commit(decisionId: string, input?: CommitInput, options?: SpendCaller & ReplayOptions): Promise<Spend>;
  release(decisionId: string, input?: SettleInput, options?: SpendCaller & ReplayOptions): Promise<Spend>;
}

type Settle = (record: SpendRecord, input: CommitInput, at: number) => Settlement | undefined;

export function createSpends(
  context: Pick<
    Context,
    'store' | 'caches' | 'clock' | 'clockWatch' | 'nextEventName' | 'tokens' | 'retentionDays' | 'auditDays'
  >,
  { lapses, warnCharged }: Pick<Spending, 'lapses' | 'warnCharged'>,
  idempotency: Idempotency,
): HostSpends {
  const { store, caches, clock, clockWatch, retentionDays } = context;
  const lineages = createLineages(caches);

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
    const input = checkCopy<CommitInput>(SCHEMAS[operation], given);
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
        const settlement = settle(record, input, now.at);
        if (settlement === undefined)
          return { id: decisionId, shown: toSpend(record), repeatable: toSpend(record) };
        const shown = toSpend(settlement.next);
        const made = { id: decisionId, shown, repeatable: shown };
        const answer = await write(made, settledSteps(context, settlement), now.signal);
        if (answer.failure === 'limit') throw conflict('A budget cannot count as much as this.');
        if (!answer.written) return undefined;
        await warnCharged(record, settlement.charged(answer), now.at);
        return made;
      }),
    );
  }

  return {
    get: async (decisionId, caller = {}) =>
      toSpend(await present(decisionId, caller, await clockWatch.present())),

    commit: (decisionId, given = {}, options = {}) =>
      change('commit', { decisionId, given, options }, (record, { amount, usage }, at) => {
        const asked = { amount: readUnits(record, amount), usage: readUsed(record, usage) };
        return commit(record, asked, { at, retentionDays });
      }),

    async extend(decisionId, given, caller = {}) {
      const { hold_seconds } = checkCopy<ExtendInput>('ExtendRequest', given);
      return untilWritten(async () => {
        const now = await clockWatch.present();
        const record = await present(decisionId, caller, now);
        const agent = await lineages.find(record.agent_id, caches.monotonic());
        if (!isActiveAt(agent, clock.now()))
          throw conflict('The agent is not active: its hold stays as it is.');
        const next = extend(record, hold_seconds, now.at);
        if (next === undefined) return toSpend(record);
        const { written } = await store.writeUnless(now.signal, replace('spends', next, record.version));
        return written ? toSpend(next) : undefined;
      });
    },

    release: (decisionId, given = {}, options = {}) =>
      change('release', { decisionId, given, options }, (record, { amount }, at) => {
        return release(record, readUnits(record, amount), { at, retentionDays });
      }),
  };
}

const SCHEMAS = { commit: 'CommitRequest', release: 'SettleRequest' } as const;

/** Throws unless the caller may release: a refund needs the scope `refund`. */
function assertMayRelease(record: SpendRecord, { scopes }: SpendCaller): void {
  if (scopes !== undefined) requireScope({ scopes }, wasCommitted(record) ? 'refund' : 'verify');
}

function wasCommitted({ status, committed_amount, committed_whole }: SpendRecord): boolean {
  return status === 'committed' || committed_amount !== null || committed_whole;
}

interface Change {
  readonly decisionId: string;
  readonly given: CommitInput;
  readonly options: SpendCaller & ReplayOptions;
}

function notFound(): IdentityError {
  return new IdentityError('not_found', 'There is no such spend.');
}

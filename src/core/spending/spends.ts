/** Reads, commits, extends, releases and refunds the spends of an account. */

import { conflict, noSuch } from '../../errors.ts';
import type { Amount, IntentUsage, Spend } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import {
  commitRequestSchema,
  extendRequestSchema,
  settleRequestSchema,
} from '../../schema/validators.generated.ts';
import type { CallOptions } from '../shared/callers.ts';
import { requireScope } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import { assertKey, type Idempotency, type OnceOptions, type ReplayOptions } from '../shared/idempotency.ts';
import { isSeen, type SpendCaller } from '../shared/seen.ts';
import type { StorePresent } from '../storage/clock-watch.ts';
import { replace, untilWritten } from '../storage/store.ts';
import { createAncestries, isActiveAt } from '../verification/ancestries.ts';
import type { SpendRecord } from './collections.ts';
import { commit, readUnits, readUsed } from './commit.ts';
import { settledSteps, toSpend } from './expiries.ts';
import { extend, isDue, release } from './settle.ts';
import type { Settlement } from './settlement.ts';
import type { Spending } from './spending.ts';

/** The amount of a release. */
export interface SettleInput {
  /** An exact decimal above 0. Absent: the whole amount. */
  readonly amount?: Amount;
}

/** The amount and the usage of a commit. An absent part is committed in full. */
export interface CommitInput extends SettleInput {
  /**
   * The committed numbers of tokens and credits. Only units that the spend has are allowed. Each number is
   * exact and from 0 to 10^12.
   */
  readonly usage?: IntentUsage;
}

/** The new length of a hold. */
export interface ExtendInput {
  /** The seconds from now until the hold expires, 1 to 604,800. */
  readonly hold_seconds: number;
}

/** Reads, commits, extends and releases the spends of an account. */
export interface Spends<Options = CallOptions> {
  /**
   * Returns the current state of a spend.
   *
   * @throws {IdentityError} `not_found` if the caller may not see the spend.
   */
  get(decisionId: string, options?: Options): Promise<Spend>;
  /**
   * Commits a hold. The service refunds the rest of a smaller `amount` or `usage`. A higher commit is charged, up to
   * ten times the hold, if each budget with a limit has `overrun`. A repeated commit with the same input returns the
   * same spend.
   *
   * @throws {IdentityError} `not_found` if the caller may not see the spend.
   * @throws {IdentityError} `conflict` if the input is more than may be charged, differs from an earlier commit, or
   * follows a release. Also thrown for a partial commit while a resource may accept the permit of the spend, with
   * `details.until`.
   * @throws {IdentityError} `spend_lapsed` if the hold has expired.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  commit(decisionId: string, input?: CommitInput, options?: Options & OnceOptions): Promise<Spend>;
  /**
   * Extends a hold until `hold_seconds` from now. The hold never ends earlier than before.
   *
   * @throws {IdentityError} `not_found` if the caller may not see the spend.
   * @throws {IdentityError} `conflict` if the new end is more than 604,800 seconds after `created_at`, or the spend was
   * committed or released. Also thrown while the agent or one of its ancestors is not active.
   * @throws {IdentityError} `spend_lapsed` if the hold has expired.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  extend(decisionId: string, input: ExtendInput, options?: Options): Promise<Spend>;
  /**
   * Releases a hold, or refunds a committed spend, in full or in parts. A partial release that is repeated without an
   * idempotency key refunds the amount again.
   *
   * @throws {IdentityError} `not_found` if the caller may not see the spend.
   * @throws {IdentityError} `conflict` if the amount is more than is left. Also thrown while a resource may accept the
   * permit of the spend, with `details.until`.
   * @throws {IdentityError} `spend_lapsed` if the hold has expired.
   * @throws {IdentityError} `insufficient_scope` if a key without the scope `refund` asks for a refund.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  release(decisionId: string, input?: SettleInput, options?: Options & OnceOptions): Promise<Spend>;
}

/** The methods of spends for calls in the same process. */
export interface HostSpends extends Spends<SpendCaller> {
  commit(decisionId: string, input?: CommitInput, options?: SpendCaller & ReplayOptions): Promise<Spend>;
  release(decisionId: string, input?: SettleInput, options?: SpendCaller & ReplayOptions): Promise<Spend>;
}

type Settle = (record: SpendRecord, input: CommitInput, atMs: number) => Settlement | undefined;

export function createSpends(
  context: Pick<
    Context,
    'store' | 'caches' | 'clock' | 'clockWatch' | 'nextEventName' | 'session' | 'retentionDays' | 'auditDays'
  >,
  { expiries, warnCharged }: Pick<Spending, 'expiries' | 'warnCharged'>,
  idempotency: Idempotency,
): HostSpends {
  const { store, caches, clock, clockWatch, retentionDays } = context;
  const ancestries = createAncestries(caches);

  async function present(decisionId: string, caller: SpendCaller, now: StorePresent): Promise<SpendRecord> {
    return untilWritten(async () => {
      const record = await store.get('spends', decisionId);
      if (record === undefined || !isSeen(context, record, caller)) throw noSuch('spend');
      if (!isDue(record, now.at)) return record;
      await expiries.expireOne(record, now);
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
    const readPermitted = async (now: StorePresent): Promise<SpendRecord> => {
      const record = await present(decisionId, options, now);
      if (operation === 'release') assertMayRelease(record, options);
      return record;
    };
    // A caller that has lost the permission does not get the first answer either.
    const { account_id, environment } = await readPermitted(await clockWatch.present());
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
        const record = await readPermitted(now);
        const settlement = settle(record, input, now.at);
        if (settlement === undefined)
          return { id: decisionId, shown: toSpend(record), repeatable: toSpend(record) };
        const shownSpend = toSpend(settlement.next);
        const result = { id: decisionId, shown: shownSpend, repeatable: shownSpend };
        const answer = await write(result, settledSteps(context, settlement), now.signal);
        if (answer.failure === 'limit') throw conflict('A budget cannot count as much as this. Commit less.');
        if (!answer.written) return undefined;
        await warnCharged(record, settlement.charged(answer), now.at);
        return result;
      }),
    );
  }

  return {
    get: async (decisionId, caller = {}) =>
      toSpend(await present(decisionId, caller, await clockWatch.present())),

    commit: (decisionId, input = {}, options = {}) =>
      change('commit', { decisionId, given: input, options }, (record, { amount, usage }, atMs) => {
        const amounts = { amount: readUnits(record, amount), usage: readUsed(record, usage) };
        return commit(record, amounts, { at: atMs, retentionDays });
      }),

    async extend(decisionId, input, caller = {}) {
      const { hold_seconds } = checkCopy<ExtendInput>(extendRequestSchema, input);
      return untilWritten(async () => {
        const now = await clockWatch.present();
        const record = await present(decisionId, caller, now);
        const agent = await ancestries.find(record.agent_id, caches.monotonic());
        if (!isActiveAt(agent, clock.now()))
          throw conflict('The agent is not active: its hold stays as it is. Reinstate the agent first.');
        const next = extend(record, hold_seconds, now.at);
        if (next === undefined) return toSpend(record);
        const { written } = await store.writeUnless(now.signal, replace('spends', next, record.version));
        return written ? toSpend(next) : undefined;
      });
    },

    release: (decisionId, input = {}, options = {}) =>
      change('release', { decisionId, given: input, options }, (record, { amount }, atMs) => {
        return release(record, readUnits(record, amount), { at: atMs, retentionDays });
      }),
  };
}

const SCHEMAS = { commit: commitRequestSchema, release: settleRequestSchema } as const;

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

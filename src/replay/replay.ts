/** Evaluates the recorded verdicts of an agent and its child agents again, with other passports. */

import { turn } from '../base/async/turns.ts';
import { formatInstant } from '../base/values/instant.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { CountCall } from '../core/capabilities/capability.ts';
import { createBlockReader } from '../core/journal/damage.ts';
import type { Journal } from '../core/journal/journal.ts';
import { changeBetween } from '../core/passports/change-between.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { ownedPassport } from '../core/passports/passport-store.ts';
import { checkedRules } from '../core/setup/open-context.ts';
import { assertWanted } from '../core/shared/callers.ts';
import type { Context } from '../core/shared/context.ts';
import { createRates, type Rate } from '../core/verification/rates.ts';
import { IdentityError } from '../errors.ts';
import { openBlock } from '../journal-format/index.ts';
import { MAX_LOADED_BLOCKS } from '../ports/journal.ts';
import type { PassportReplay } from '../records/replay.ts';
import { type RangeRequest, readRange } from '../schema/instant-range.ts';
import type { Rule } from '../verdict/index.ts';
import { applicationRules } from './application-rules.ts';
import {
  type BlocksAsked,
  listDrops,
  listReplayBlocks,
  REPLAY_BOUNDS,
  type ReplayBounds,
} from './block-list.ts';
import {
  createRecordedChains,
  currentChains,
  type Family,
  findFamily,
  type LostRecords,
  lostIn,
  windowsFrom,
} from './chains.ts';
import { readInOrder } from './ordered-rows.ts';
import { createReplayRows } from './replay-rows.ts';
import { patchedBy, type ReplayPassport, readRequest } from './request.ts';
import { createTotals } from './totals.ts';

export interface PassportReplayParts {
  readonly rules: readonly Rule[];
  readonly journal: Pick<Journal, 'settle'>;
  readonly bounds?: ReplayBounds;
  readonly makeTotals?: typeof createTotals;
}

export function createPassportReplay(
  context: Pick<
    Context,
    'store' | 'clock' | 'clockWatch' | 'session' | 'allowLocalhost' | 'proofTerms' | 'retentionDays' | 'log'
  >,
  { rules, journal, bounds = REPLAY_BOUNDS, makeTotals = createTotals }: PassportReplayParts,
): ReplayPassport {
  const readBlock = createBlockReader(context.log);
  const source = { journal: context.store.journal, readBlock };

  async function keptFrom(account_id: string): Promise<number> {
    const { clock, clockWatch, retentionDays, store } = context;
    const complete = await store.journal.completeSince(account_id);
    const retainedFrom = clockWatch.mayPurge()
      ? clock.now() - retentionDays * RESOLUTION_MS.day
      : Number.NEGATIVE_INFINITY;
    return Math.max(retainedFrom, complete === undefined ? Number.NEGATIVE_INFINITY : Date.parse(complete));
  }

  async function lostOf(blocks: BlocksAsked): Promise<readonly LostRecords[]> {
    const headers = await listDrops(context.store.journal, blocks);
    const lostRecords: LostRecords[] = [];
    for (let start = 0; start < headers.length; start += MAX_LOADED_BLOCKS) {
      assertWanted(blocks.signal);
      for (const block of await context.store.journal.load(headers.slice(start, start + MAX_LOADED_BLOCKS))) {
        if (block === undefined) continue;
        await turn();
        const drops = readBlock(block, () => openBlock(block.data, block.erasable).drops);
        lostRecords.push(...lostIn(drops ?? [], blocks.environment));
      }
    }
    return lostRecords;
  }

  return async (agentId, input = {}, options = {}) => {
    const { rules: otherRules, signal, ...actor } = options;
    const request = readRequest(context, input);
    const evaluatedRules = otherRules === undefined ? rules : checkedRules(otherRules);
    const record = await ownedPassport(context, agentId, actor);
    const patchedRecord = patchedBy(context, record, request);
    const change = patchedRecord === undefined ? null : changeBetween(record, patchedRecord, evaluatedRules);
    const { from, to, examples } = request;
    const totals = makeTotals(patchedRecord ?? record, examples);
    if (from === to) {
      const coverage = { from: formatInstant(from), to: formatInstant(to), complete: true };
      return answerOf(change, coverage, totals.result(), 0);
    }
    const family = await findFamily(context, record, { ...actor, ...(signal && { signal }) });
    await journal.settle(record.account_id);
    const keptCount = await keptFrom(record.account_id);
    const first = Math.min(from, windowsFrom(passportsOf(family, patchedRecord), from));
    const askedBlocks: BlocksAsked = {
      account_id: record.account_id,
      environment: request.environment,
      agents: [...family.members.keys()],
      from: Math.max(first, keptCount),
      to,
      signal,
    };
    const blocks = await listReplayBlocks(context.store.journal, askedBlocks, bounds);
    const lostRecords = await lostOf(askedBlocks);
    const start = Math.min(to, Math.max(from, blocks.from));
    const rows = createReplayRows({
      request,
      family,
      lost: lostRecords,
      totals,
      knownFrom: blocks.from,
      start,
      signal,
      after: currentChains(family, patchedRecord),
      before: patchedRecord === undefined ? undefined : currentChains(family),
      recorded: createRecordedChains(context.store),
      askApplication: applicationRules(evaluatedRules),
      patched: patchedRecord,
    });
    await readInOrder(source, askedBlocks, blocks, rows.reader);
    await rows.finish();
    const replayCoverage = { from: formatInstant(start), to: formatInstant(to), complete: start <= from };
    const droppedCount = lostRecords
      .filter((entry) => entry.at >= start && entry.at < to)
      .reduce((sum, { count }) => sum + count, 0);
    return answerOf(change, replayCoverage, totals.result(), droppedCount);
  };
}

function passportsOf(
  { members }: Family,
  patchedRecord: PassportRecord | undefined,
): readonly PassportRecord[] {
  return patchedRecord === undefined ? [...members.values()] : [...members.values(), patchedRecord];
}

function answerOf(
  change: PassportReplay['change'],
  { from, to, complete }: Omit<PassportReplay['covered'], 'records'>,
  {
    records,
    judged,
    unchanged,
    now_denied,
    now_allowed,
    unknown,
    ...counts
  }: ReturnType<ReturnType<typeof createTotals>['result']>,
  droppedCount: number,
): PassportReplay {
  const coverage = { from, to, records, complete };
  return {
    change,
    covered: coverage,
    judged,
    unchanged,
    now_denied,
    now_allowed,
    unknown,
    ...counts,
    dropped: droppedCount,
  };
}

// Limits the rate of replays over HTTP.

const REPLAYS: Rate = {
  name: 'replays',
  limitOf: () => 6,
  over: ({ limit, resetSeconds }) =>
    new IdentityError('rate_limited', `An account may replay ${limit} times per minute. Try again later.`, {
      details: { retryAfterSeconds: resetSeconds },
    }),
};

const COMPARISONS: Rate = {
  name: 'changes',
  limitOf: () => 60,
  over: ({ limit, resetSeconds }) =>
    new IdentityError(
      'rate_limited',
      `An account may compare ${limit} changes per minute. Try again later.`,
      {
        details: { retryAfterSeconds: resetSeconds },
      },
    ),
};

/**
 * Creates the limit of one service: 6 replays per minute for each account, and one at a time on this node. A replay
 * that only compares passports counts against a limit of 60 per minute.
 */
export function createReplayLimit(
  context: Pick<Context, 'store' | 'clock' | 'plans' | 'limitsRates' | 'after' | 'log'>,
): { readonly count: CountCall; close(): Promise<void> } {
  const outage = { isReported: false };
  const replays = createRates(context, REPLAYS, outage);
  const comparisons = createRates(context, COMPARISONS, outage);
  const replaying = new Set<string>();
  return {
    count(caller, request) {
      if (isComparison(request)) {
        comparisons.take(caller, 1);
        return () => undefined;
      }
      const { account_id } = caller;
      if (context.limitsRates && replaying.has(account_id)) throw busy();
      replays.take(caller, 1);
      replaying.add(account_id);
      return () => void replaying.delete(account_id);
    },
    async close() {
      await Promise.all([replays.close(), comparisons.close()]);
    },
  };
}

function isComparison(request: unknown): boolean {
  const { from, to }: RangeRequest = Object(request);
  if (typeof from !== 'string' || typeof to !== 'string') return false;
  const range = readRange({ from, to });
  return range.from !== undefined && range.from === range.to;
}

function busy(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError(
    'rate_limited',
    'Another replay of the account is running. Try again when it has ended.',
    { details },
  );
}

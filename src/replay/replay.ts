/** Evaluates the recorded verdicts of an agent and its child agents again, with other passports. */
import { turn } from '../base/async/turns.ts';
import { formatInstant } from '../base/values/instant.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { createBlockReader } from '../core/journal/damage.ts';
import type { Journal } from '../core/journal/journal.ts';
import { changeBetween } from '../core/passports/change-between.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { ownedPassport } from '../core/passports/passport-store.ts';
import { checkedRules } from '../core/setup/open-context.ts';
import { assertWanted } from '../core/shared/callers.ts';
import type { Context } from '../core/shared/context.ts';
import { openBlock } from '../journal-format/index.ts';
import { MAX_LOADED_BLOCKS } from '../ports/journal.ts';
import type { PassportReplay } from '../records/replay.ts';
import type { Rule } from '../verdict/index.ts';
import {
  type BlocksAsked,
  listDrops,
  listReplayBlocks,
  REPLAY_BOUNDS,
  type ReplayBounds,
} from './block-list.ts';
import { createRecordedChains } from './chains.ts';
import { currentChains, type Family, findFamily, type LostRecords, lostIn, windowsFrom } from './family.ts';
import { hostRules } from './host-rules.ts';
import { readInOrder } from './ordered-rows.ts';
import { createReplayRows } from './replay-rows.ts';
import type { ReplayPassport } from './request.ts';
import { patchedBy, readRequest } from './request.ts';
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
    const judging = otherRules === undefined ? rules : checkedRules(otherRules);
    const record = await ownedPassport(context, agentId, actor);
    const patchedRecord = patchedBy(context, record, request);
    const change = patchedRecord === undefined ? null : changeBetween(record, patchedRecord, judging);
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
      askHost: hostRules(judging),
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

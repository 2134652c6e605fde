/** Evaluates the recorded verdicts of an agent and its child agents again, with other passports. */
import { turn } from '../base/async/turns.ts';
import { formatInstant } from '../base/values/instant.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { createBlockReader } from '../core/journal/damage.ts';
import type { Journal } from '../core/journal/journal.ts';
import { changeBetween } from '../core/passports/change-between.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { ownedPassport } from '../core/passports/passport-store.ts';
import { checkedRules } from '../core/setup/checked-values.ts';
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

  async function lostOf(asked: BlocksAsked): Promise<readonly LostRecords[]> {
    const headers = await listDrops(context.store.journal, asked);
    const lost: LostRecords[] = [];
    for (let at = 0; at < headers.length; at += MAX_LOADED_BLOCKS) {
      assertWanted(asked.signal);
      for (const block of await context.store.journal.load(headers.slice(at, at + MAX_LOADED_BLOCKS))) {
        if (block === undefined) continue;
        await turn();
        const drops = readBlock(block, () => openBlock(block.data, block.erasable).drops);
        lost.push(...lostIn(drops ?? [], asked.environment));
      }
    }
    return lost;
  }

  return async (agentId, given = {}, options = {}) => {
    const { rules: otherRules, signal, ...actor } = options;
    const request = readRequest(context, given);
    const judging = otherRules === undefined ? rules : checkedRules(otherRules);
    const found = await ownedPassport(context, agentId, actor);
    const patched = patchedBy(context, found, request);
    const change = patched === undefined ? null : changeBetween(found, patched, judging);
    const { from, to, examples } = request;
    const totals = makeTotals(patched ?? found, examples);
    if (from === to) {
      const covered = { from: formatInstant(from), to: formatInstant(to), complete: true };
      return answerOf(change, covered, totals.result(), 0);
    }
    const family = await findFamily(context, found, { ...actor, ...(signal && { signal }) });
    await journal.settle(found.account_id);
    const kept = await keptFrom(found.account_id);
    const first = Math.min(from, windowsFrom(passportsOf(family, patched), from));
    const asked: BlocksAsked = {
      account_id: found.account_id,
      environment: request.environment,
      agents: [...family.members.keys()],
      from: Math.max(first, kept),
      to,
      signal,
    };
    const blocks = await listReplayBlocks(context.store.journal, asked, bounds);
    const lost = await lostOf(asked);
    const start = Math.min(to, Math.max(from, blocks.from));
    const rows = createReplayRows({
      request,
      family,
      lost,
      totals,
      knownFrom: blocks.from,
      start,
      signal,
      after: currentChains(family, patched),
      before: patched === undefined ? undefined : currentChains(family),
      recorded: createRecordedChains(context.store),
      askHost: hostRules(judging),
      patched,
    });
    await readInOrder(source, asked, blocks, rows.reader);
    await rows.finish();
    const covered = { from: formatInstant(start), to: formatInstant(to), complete: start <= from };
    const dropped = lost
      .filter((one) => one.at >= start && one.at < to)
      .reduce((sum, { count }) => sum + count, 0);
    return answerOf(change, covered, totals.result(), dropped);
  };
}

function passportsOf({ members }: Family, patched: PassportRecord | undefined): readonly PassportRecord[] {
  return patched === undefined ? [...members.values()] : [...members.values(), patched];
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
    ...counted
  }: ReturnType<ReturnType<typeof createTotals>['result']>,
  dropped: number,
): PassportReplay {
  const covered = { from, to, records, complete };
  return { change, covered, judged, unchanged, now_denied, now_allowed, unknown, ...counted, dropped };
}

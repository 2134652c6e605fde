import { turn } from '../../../base/async/turns.ts';
import { formatInstant } from '../../../base/values/instant.ts';
import {
  type BlockView,
  createBlockBuilder,
  createFold,
  filterHashes,
  namedBlock,
  type OutcomeReport,
  openBlock,
  packOutcomes,
  type SealedBlock,
  startOfMinute,
} from '../../../journal-format/index.ts';
import { type Block, type BlockHeader, MAX_LOADED_BLOCKS, type RollupDelta } from '../../../ports/journal.ts';
import type { Context } from '../../shared/context.ts';
import { createBlockReader } from '../damage.ts';
import { createRollupWriter, sumDeltas } from './rollups.ts';

export interface AgentOfAccount {
  readonly account_id: string;
  readonly agent_id: string;
}

const AT_ONCE = 256;

/**
 * Rewrites the blocks that contain the agent, and yields the number of records that it removed from each block. Returns
 * `true` if no record is left. A block that is not yet merged into the rollups cannot be rewritten.
 */
export async function* removeAgentRecords(
  { store, log }: Pick<Context, 'store' | 'log'>,
  { account_id, agent_id }: AgentOfAccount,
): AsyncGenerator<number, boolean> {
  const { journal } = store;
  const readBlock = createBlockReader(log);
  const query = { account_id, names: [filterHashes('agent', agent_id)], limit: MAX_LOADED_BLOCKS };
  let isAll = true;
  for (let headerAfter: BlockHeader | undefined, isOver = false; !isOver; ) {
    const headers = await journal.blocks({ ...query, ...(headerAfter && { after: headerAfter }) });
    for (const block of await journal.load(headers)) {
      if (block === undefined) continue;
      // A block that cannot be decoded is logged, and removed at the end of its retention.
      const view = readBlock(block, () => viewWith(block, agent_id));
      if (view === undefined) continue;
      const removedCount = await rewrite(block, view, agent_id);
      isAll &&= removedCount > 0;
      yield removedCount;
    }
    headerAfter = headers.at(-1);
    isOver = headers.length < MAX_LOADED_BLOCKS;
    yield 0;
  }
  return isAll;

  async function rewrite(block: Block, view: BlockView, agent: string): Promise<number> {
    const isOfOutcomes = view.outcomes.length > 0;
    const { removed, others, rollups } = isOfOutcomes
      ? withoutOutcomes(account_id, view, agent)
      : await withoutRecords(account_id, view, agent);
    const erasedCount = block.erasable === undefined ? 0 : block.erased + 1;
    const targetBlock = others && namedBlock(others, block, erasedCount);
    const isDone = await journal.rewrite({
      found: block,
      rollups,
      ...(targetBlock && { into: targetBlock }),
    });
    return isDone ? removed : 0;
  }
}

/** Opens the block if it contains the agent. Decodes one record first, so that damage is found before any change. */
function viewWith({ data, erasable }: Block, agent_id: string): BlockView | undefined {
  const view = openBlock(data, erasable);
  if (view.outcomes.agents.texts.includes(agent_id)) return view;
  if (!view.agents.texts.includes(agent_id)) return undefined;
  for (let place = 0; place < Math.min(view.length, 1); place += 1) view.record(place);
  return view;
}

interface Division {
  readonly removed: number;
  readonly others: SealedBlock | undefined;
  /** The deltas that undo the counts of the removed records. */
  readonly rollups: readonly RollupDelta[];
}

async function withoutRecords(account_id: string, view: BlockView, agent_id: string): Promise<Division> {
  const [ownView, otherBlock] = await divide(view, agent_id);
  return { removed: ownView.length, others: otherBlock, rollups: countsOf(account_id, ownView) };
}

function withoutOutcomes(account_id: string, view: BlockView, agent_id: string): Division {
  const { outcomes } = view;
  const reports = Array.from({ length: outcomes.length }, (_, place) => outcomes.report(place));
  const keptReports = reports.filter((report) => report.agent_id !== agent_id);
  // The reports of a block are of one hour: fewer of them are one block again.
  const [packedOutcomes] = packOutcomes(keptReports);
  const countedDeltas = outcomeDeltas(account_id, view, (agent) => agent === agent_id);
  return {
    removed: reports.length - keptReports.length,
    others: packedOutcomes?.block,
    rollups: negated(countedDeltas),
  };
}

function negated(deltas: readonly RollupDelta[]): readonly RollupDelta[] {
  return deltas.map(({ count, ...otherFields }) => ({ count: -count, ...otherFields }));
}

/**
 * Divides a block into the records of the agent and the records of other agents. A block may also list how many records
 * a node dropped under load. These numbers name no agent, so they stay with the other agents.
 */
async function divide(
  view: BlockView,
  agent_id: string,
): Promise<readonly [own: BlockView, others: SealedBlock | undefined]> {
  const number = view.agents.texts.indexOf(agent_id);
  const ownBuilder = createBlockBuilder();
  const otherBuilder = createBlockBuilder();
  for (let place = 0; place < view.length; place += 1) {
    if (place % AT_ONCE === 0) await turn();
    const builder = view.agents.numbers[place] === number ? ownBuilder : otherBuilder;
    // A part of the records of a block always fits into one block.
    if (!builder.push(view.record(place), view.latencies[place] as number))
      throw new RangeError('The records of a block do not fit into one.');
  }
  const { drops, hasApprovals } = view;
  const isLeft = otherBuilder.length() > 0 || drops.length > 0;
  return [openBlock(ownBuilder.seal().data), isLeft ? otherBuilder.seal(drops, { hasApprovals }) : undefined];
}

function countsOf(account_id: string, view: BlockView): readonly RollupDelta[] {
  const fold = createFold();
  fold.add(account_id, view);
  const writer = createRollupWriter();
  for (const piece of fold.take()) writer.add(account_id, piece);
  return negated(sumDeltas(writer.take()));
}

export function outcomeDeltas(
  account_id: string,
  { outcomes }: BlockView,
  isCounted: (agent_id: string) => boolean = () => true,
): readonly RollupDelta[] {
  const sums = new Map<string, RollupDelta>();
  const count = (report: OutcomeReport, minute_ms: number, agent_id: string): void => {
    const { environment, outcome } = report;
    const name = `${minute_ms} ${environment} ${outcome} ${agent_id}`;
    const delta = sums.get(name);
    const minute = delta?.minute ?? formatInstant(minute_ms);
    const query = { account_id, environment, minute, agent_id, kind: 'outcome', key: outcome } as const;
    sums.set(name, { count: 1 + (delta?.count ?? 0), ...query });
  };
  for (let place = 0; place < outcomes.length; place += 1) {
    const report = outcomes.report(place);
    if (!isCounted(report.agent_id)) continue;
    const minute_ms = startOfMinute(report.evaluated_ms);
    count(report, minute_ms, report.agent_id);
    count(report, minute_ms, '');
  }
  return [...sums.values()];
}

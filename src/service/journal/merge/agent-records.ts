/** Removes the records of one agent from the blocks of its account, and subtracts them from the rollups. */
import { turn } from '../../../base/async/turns.ts';
import {
  type BlockView,
  createBlockBuilder,
  createFold,
  filterHashes,
  namedBlock,
  openBlock,
  type SealedBlock,
} from '../../../blocks/index.ts';
import { type Block, type BlockHeader, MAX_LOADED_BLOCKS, type RollupDelta } from '../../../ports/journal.ts';
import type { Context } from '../../shared/context.ts';
import { createBlockReader } from '../damage.ts';
import { createRollupWriter, sumDeltas } from './rollups.ts';

/** The agent, and the account that its records belong to. */
export interface AgentOfAccount {
  readonly account_id: string;
  readonly agent_id: string;
}

/** The number of records that are packed in one turn of the event loop. */
const AT_ONCE = 256;

/**
 * Rewrites the blocks that contain the agent, one by one, and yields the number of records removed from each. Returns
 * `true` if no record is left: a block that is not yet merged into the rollups cannot be rewritten.
 */
export async function* removeAgentRecords(
  { store, log }: Pick<Context, 'store' | 'log'>,
  { account_id, agent_id }: AgentOfAccount,
): AsyncGenerator<number, boolean> {
  const { journal } = store;
  const readBlock = createBlockReader(log);
  const query = { account_id, names: [filterHashes('agent', agent_id)], limit: MAX_LOADED_BLOCKS };
  let isAll = true;
  for (let after: BlockHeader | undefined, isOver = false; !isOver; ) {
    const headers = await journal.blocks({ ...query, ...(after && { after }) });
    for (const found of await journal.load(headers)) {
      if (found === undefined) continue;
      // A block that cannot be decoded is logged, and removed at the end of its retention.
      const view = readBlock(found, () => viewWith(found, agent_id));
      if (view === undefined) continue;
      const removed = await rewrite(found, view, agent_id);
      isAll &&= removed > 0;
      yield removed;
    }
    after = headers.at(-1);
    isOver = headers.length < MAX_LOADED_BLOCKS;
    yield 0;
  }
  return isAll;

  /** Returns the number of removed records; 0 if the storage does not accept the change now. */
  async function rewrite(found: Block, view: BlockView, agent: string): Promise<number> {
    const [own, others] = await divide(view, agent);
    const erased = found.erasable === undefined ? 0 : found.erased + 1;
    const into = others && namedBlock(others, found, erased);
    const rollups = countsOf(account_id, own);
    const isDone = await journal.rewrite({ found, rollups, ...(into && { into }) });
    return isDone ? own.length : 0;
  }
}

/** Opens the block if it contains the agent, and decodes a record, so that damage is found before any change. */
function viewWith({ data, erasable }: Block, agent_id: string): BlockView | undefined {
  const view = openBlock(data, erasable);
  if (!view.agents.texts.includes(agent_id)) return undefined;
  for (let place = 0; place < Math.min(view.length, 1); place += 1) view.record(place);
  return view;
}

/** Divides a block into the records of the agent, and those of other agents with the drops. */
async function divide(
  view: BlockView,
  agent_id: string,
): Promise<readonly [own: BlockView, others: SealedBlock | undefined]> {
  const number = view.agents.texts.indexOf(agent_id);
  const own = createBlockBuilder();
  const others = createBlockBuilder();
  for (let place = 0; place < view.length; place += 1) {
    if (place % AT_ONCE === 0) await turn();
    const builder = view.agents.numbers[place] === number ? own : others;
    // A part of the records of a block always fits into one block.
    if (!builder.push(view.record(place), view.latencies[place] as number))
      throw new RangeError('The records of a block do not fit into one.');
  }
  const { drops, hasApprovals } = view;
  const isLeft = others.length > 0 || drops.length > 0;
  return [openBlock(own.seal().data), isLeft ? others.seal(drops, { hasApprovals }) : undefined];
}

/** Returns the deltas that undo the counts of the records. */
function countsOf(account_id: string, view: BlockView): readonly RollupDelta[] {
  const fold = createFold();
  fold.add(account_id, view);
  const writer = createRollupWriter();
  for (const piece of fold.take()) writer.add(account_id, piece);
  return sumDeltas(writer.take()).map(({ count, ...rest }) => ({ count: -count, ...rest }));
}

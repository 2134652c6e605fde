/** Finds the verdicts that any node has stored, for the accounts that have listeners. */
import { type BlockView, openBlock } from '../../journal-format/index.ts';
import {
  BLOCK_FLAGS,
  type Block,
  type BlockHeader,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
} from '../../ports/journal.ts';
import type { IdentityEvent } from '../../records/event.ts';
import { createBlockReader } from '../journal/damage.ts';
import type { Context } from '../shared/context.ts';
import { createChore } from '../shared/timers.ts';
import { createLiveAccounts, type EventFeed, type EventListener, WINDOW_MS } from './change-feed.ts';
import { toGap, toVerdictEvent } from './event-records.ts';
import type { WorkShare } from './outcome-feed.ts';

export interface VerdictListener {
  readonly verdicts: 'all' | 'ALLOW' | 'DENY';
  readonly tell: EventListener;
}

export interface VerdictFeed extends Pick<EventFeed, 'stop'> {
  join(account_id: string, listener: VerdictListener): Promise<() => void>;
}

/** The interval of polling. The journal stores a verdict within 200 ms, and the feed must report it within 1.5 s. */
const EVERY_MS = 300;
const PIECE = 100;

interface Blocks {
  /**
   * The names of the blocks that were read, with the instant of the last record. A joined block keeps the name of one
   * of its blocks and therefore counts as read.
   */
  readonly seen: Map<string, number>;
  /** Records before this instant are older than the first listener and are ignored. */
  readonly floor: number;
}

export function createVerdictFeed(
  context: Pick<Context, 'store' | 'clock' | 'after' | 'log'>,
  share: WorkShare,
): VerdictFeed {
  const { store, clock, after } = context;
  const tell = createTeller(context, share);
  const accounts = createLiveAccounts<VerdictListener, Blocks>((account_id) => {
    const state: Blocks = { seen: new Map(), floor: clock.now() - WINDOW_MS };
    return { state, ready: takeNew(context, account_id, state).then(() => undefined) };
  });
  const chore = createChore(after, EVERY_MS, lookAtAll);

  async function lookAtAll(): Promise<boolean> {
    for (const { account_id, state, listeners, ready } of accounts.all()) {
      const newBlocks = await ready.then(() => takeNew(context, account_id, state)).catch(() => []);
      const wantedHeaders = newBlocks.filter((header) => isWanted(header, [...listeners]));
      for (let start = 0; start < wantedHeaders.length; start += MAX_LOADED_BLOCKS) {
        const piece = wantedHeaders.slice(start, start + MAX_LOADED_BLOCKS);
        await tellBlocks(piece, listeners, state).catch(() => forget(piece, state));
      }
    }
    return accounts.size > 0;
  }

  function forget(headers: readonly BlockHeader[], { seen }: Blocks): void {
    for (const header of headers) seen.delete(nameOf(header));
  }

  async function tellBlocks(
    headers: readonly BlockHeader[],
    listeners: ReadonlySet<VerdictListener>,
    state: Blocks,
  ): Promise<void> {
    const blocks = await store.journal.load(headers);
    for (const [index, block] of blocks.entries()) {
      const header = headers[index];
      // A block that is gone was merged into another, which has the name of one of its parts.
      if (block !== undefined && header !== undefined) await tell(header, block, listeners, state);
    }
  }

  return {
    async join(account_id, listener) {
      const leave = await accounts.join(account_id, listener);
      chore.ask();
      return leave;
    },
    stop: chore.stop,
  };
}

async function takeNew(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  account_id: string,
  { seen }: Blocks,
): Promise<readonly BlockHeader[]> {
  const from_ms = clock.now() - WINDOW_MS;
  const headers: BlockHeader[] = [];
  for (let page: readonly BlockHeader[] = [], isOver = false; !isOver; ) {
    const last = page.at(-1);
    const limit = MAX_LISTED_BLOCKS;
    page = await store.journal.blocks({ account_id, from_ms, limit, ...(last && { after: last }) });
    isOver = page.length < limit;
    headers.push(...page.filter((header) => !seen.has(nameOf(header))));
  }
  for (const header of headers) seen.set(nameOf(header), header.to_ms);
  for (const [name, to_ms] of seen) if (to_ms < from_ms) seen.delete(name);
  return headers.reverse();
}

type Teller = (
  header: BlockHeader,
  block: Block,
  listeners: ReadonlySet<VerdictListener>,
  state: Blocks,
) => Promise<void>;

function createTeller({ log }: Pick<Context, 'log'>, share: WorkShare): Teller {
  const readBlock = createBlockReader(log);
  return async (header, { data, erasable }, listeners, { floor }) => {
    await share.wait();
    const view = readBlock(header, () => share.spend(() => openBlock(data, erasable)));
    if (view === undefined) return;
    for (let place = 0; place < view.length; place += PIECE) {
      await share.wait();
      readBlock(header, () => share.spend(() => tellPiece(view, place, [...listeners], floor)));
    }
    if (!view.drops.some(({ at_ms }) => at_ms >= floor)) return;
    const gap = toGap(header.from_ms);
    for (const { tell } of listeners) tell(gap);
  };
}

function tellPiece(
  view: BlockView,
  start: number,
  listeners: readonly VerdictListener[],
  floor: number,
): void {
  const { times, reasons } = view;
  for (let place = start; place < Math.min(start + PIECE, view.length); place += 1) {
    if ((times[place] as number) < floor) continue;
    const codes = reasons.shapes[reasons.numbers[place] as number]?.codes ?? [];
    const verdict = codes.length === 0 ? 'ALLOW' : 'DENY';
    let event: IdentityEvent | undefined;
    for (const { verdicts, tell } of listeners) {
      if (verdicts !== 'all' && verdicts !== verdict) continue;
      event ??= toVerdictEvent(view.record(place));
      tell(event);
    }
  }
}

function isWanted({ records, denied, flags }: BlockHeader, listeners: readonly VerdictListener[]): boolean {
  if ((flags & BLOCK_FLAGS.drops) !== 0) return true;
  return listeners.some(({ verdicts }) =>
    verdicts === 'ALLOW' ? denied < records : verdicts === 'all' || denied > 0,
  );
}

function nameOf({ writer, seq }: BlockHeader): string {
  return `${writer}.${seq}`;
}

import { formatInstant } from '../../base/values/instant.ts';
import type { BlockView } from '../../journal-format/index.ts';
import type { Position } from '../../ports/queries.ts';
import type { Outcome, RecordedOutcome } from '../../records/outcome.ts';
import { createBlockReader } from '../journal/damage.ts';
import { createOutcomeBlocks } from '../journal/read/outcome-blocks.ts';
import { createOutcomeJoin, type ReportedVerdict } from '../journal/read/outcome-join.ts';
import {
  createItemReader,
  type Piece,
  type ReadItems,
  type RecordsQuery,
  type Spell,
} from '../journal/read/reader.ts';
import type { Context } from '../shared/context.ts';

/** The outcome of a verdict, or `none`. `none` means an ALLOW without a reported outcome. Dry runs are left out. */
export type OutcomeState = Outcome | 'none';

/** An item with the reported outcome of its verdict. */
export interface Reported<Item> {
  readonly item: Item;
  readonly outcome: RecordedOutcome | null;
}

export type ReadReported<Item> = (
  query: RecordsQuery,
  limit: number,
  positionAfter: Position | undefined,
  wantedState: OutcomeState | undefined,
) => Promise<Piece<Reported<Item>>>;

interface Keyed<Item> {
  readonly item: Item;
  readonly verdict: ReportedVerdict;
}

const ABOVE_ALL_IDS = '~';

/** Creates a reader that formats each record with `spell`, and returns only the `wantedState` items. */
export function createReportedReader<Item>(
  context: Pick<Context, 'store' | 'log'>,
  spell: Spell<Item>,
): ReadReported<Item> {
  const read: ReadItems<Keyed<Item>> = createItemReader(context, (view) => withVerdict(view, spell(view)));
  const { journal } = context.store;
  const blocks = createOutcomeBlocks(journal, createBlockReader(context.log));
  const join = createOutcomeJoin(blocks);

  /**
   * Returns the position of the newest verdict that can have the outcome. Reading starts there. Returns `null` if no
   * verdict has the outcome.
   */
  async function skip(
    { account_id, agent_id, from_ms, to_ms }: RecordsQuery,
    outcome: Outcome,
    positionAfter: Position | undefined,
  ): Promise<Position | undefined | null> {
    const upto_ms = positionAfter === undefined ? to_ms : Date.parse(positionAfter.created_at);
    const range = { account_id, agent_id, outcome, ...(from_ms !== undefined && { from_ms }) };
    const [latest] = await blocks.list({ ...range, ...(upto_ms !== undefined && { upto_ms }) }, 1);
    if (latest === undefined) return null;
    if (upto_ms !== undefined && latest.to_ms >= upto_ms) return positionAfter;
    return { created_at: formatInstant(latest.to_ms), id: ABOVE_ALL_IDS };
  }

  return async (askedQuery, limit, positionAfter, wantedState) => {
    const query = wantedState === 'none' ? unreported(askedQuery) : askedQuery;
    if (query === undefined) return { records: [], next: null };
    let begin: Position | undefined | null = positionAfter;
    if (wantedState !== undefined && wantedState !== 'none')
      begin = await skip(query, wantedState, positionAfter);
    if (begin === null) return { records: [], next: null };
    const { records, next } = await read(query, limit, begin);
    const outcomes = await join(
      query,
      records.map(({ verdict }) => verdict),
    );
    const joinedItems = records.slice(0, outcomes.length).map(({ item }, place) => {
      return { item, outcome: outcomes[place] ?? null };
    });
    const last = records[outcomes.length - 1];
    const isShort = outcomes.length < records.length;
    return {
      records:
        wantedState === undefined
          ? joinedItems
          : joinedItems.filter(({ outcome }) => isWanted(outcome, wantedState)),
      next: isShort ? ((last && positionOf(last.verdict)) ?? begin ?? null) : next,
    };
  };
}

function unreported(query: RecordsQuery): RecordsQuery | undefined {
  if (query.verdict === 'DENY' || query.dry_run === true) return undefined;
  return { ...query, verdict: 'ALLOW', dry_run: false };
}

function isWanted(outcome: RecordedOutcome | null, wantedState: OutcomeState): boolean {
  return (outcome?.outcome ?? 'none') === wantedState;
}

function positionOf({ ms, decision_id }: ReportedVerdict): Position {
  return { created_at: formatInstant(ms), id: decision_id };
}

function withVerdict<Item>(view: BlockView, itemOf: (place: number) => Item): (place: number) => Keyed<Item> {
  const { times, agents, contexts } = view;
  return (place) => ({
    item: itemOf(place),
    verdict: {
      decision_id: view.decisionId(place),
      ms: times[place] as number,
      agent_id: agents.texts[agents.numbers[place] as number] as string,
      environment: contexts.values[contexts.numbers[place] as number]?.environment ?? 'live',
    },
  });
}

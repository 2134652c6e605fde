import { turn } from '../base/async/turns.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { assertWanted } from '../core/shared/callers.ts';
import type { BlockView } from '../journal-format/index.ts';
import type { AskApplicationRules } from './application-rules.ts';
import { type BudgetFold, createBudgetFold, withoutBudgets } from './budget-fold.ts';
import {
  ASKS_INTENT,
  type Family,
  knownWindows,
  type LostRecords,
  type PassportChain,
  type RecordedChains,
} from './chains.ts';
import { type EvaluatedBy, type Evaluation, evaluateAgain } from './evaluate-again.ts';
import { createFoldQueue, type FoldQueue } from './fold-queue.ts';
import type { BlockReader } from './ordered-rows.ts';
import { type AskedRow, askedRows, type ReadAsked } from './recorded-reasons.ts';
import type { ReplayRequest } from './request.ts';
import { createShownCounters, type Replayed } from './shown-budgets.ts';
import { apart, type ReplayTotals, type RowPlace } from './totals.ts';

export interface ReplayRowsParts {
  readonly request: ReplayRequest;
  /** The chains of all agents. With a patch, `before` has the chains without it. */
  readonly after: ReadonlyMap<string, PassportChain>;
  readonly before: ReadonlyMap<string, PassportChain> | undefined;
  readonly askApplication: AskApplicationRules | undefined;
  /** The first instant of the records that count. */
  readonly start: number;
  readonly totals: ReplayTotals;
  readonly family: Family;
  readonly patched: PassportRecord | undefined;
  readonly recorded: RecordedChains;
  readonly lost: readonly LostRecords[];
  readonly knownFrom: number;
  readonly signal: AbortSignal | undefined;
}

export interface ReplayBlock {
  readonly view: BlockView;
  readonly covered: CoveredRows;
  readonly read: ReadAsked;
}

export interface ReplayRows {
  readonly reader: BlockReader<ReplayBlock>;
  /** Evaluates the records that still wait. */
  finish(): Promise<void>;
}

export function createReplayRows(parts: ReplayRowsParts): ReplayRows {
  const { request, family, after, before, totals, knownFrom, start, signal } = parts;
  const { isRecorded } = request;
  const idsAbove = new Set(family.above.map(({ id }) => id));
  const terms = {
    isAbove: (agent_id: string) => idsAbove.has(agent_id),
    isKnown: knownWindows(family, { from: knownFrom, lost: parts.lost, isRecorded }),
  };
  const shownCounters = createShownCounters(terms);
  const folds: readonly BudgetFold[] = Array.from({ length: before === undefined ? 1 : 2 }, () =>
    createBudgetFold(terms),
  );
  const queue = createFoldQueue(folds);
  // Versions of before may have had budgets that the passports of today do not have.
  const mayFold =
    isRecorded || [...after.values(), ...(before?.values() ?? [])].some(({ hasBudgets }) => hasBudgets);

  function count(askedRow: AskedRow, row: RowPlace, results: readonly Replayed[]): void {
    if (askedRow.at < start) return;
    const [changedResult, unchangedResult = changedResult] = results;
    if (changedResult === undefined || unchangedResult === undefined) return;
    const { isAllow } = askedRow.codes;
    if (isAllow) totals.noteUse(askedRow.action, askedRow.target, askedRow.amount);
    totals.add(row, isAllow, changedResult, unchangedResult);
  }

  function evaluateRow(view: BlockView, askedRow: AskedRow, place: number): void {
    const row = { view, place };
    const evaluators = evaluatorsOf(parts, askedRow, versionsOf(view, place));
    const evaluations = evaluators.map((entry) => evaluateAgain(askedRow, entry));
    if (!mayFold) {
      count(askedRow, row, evaluations.map(withoutBudgets));
      return;
    }
    const { codes } = askedRow;
    const states = codes.isAllow || codes.budgetsExceeded > 0 ? shownCounters.read(view.record(place)) : [];
    const rows = evaluators.map(({ chain }, index) => {
      const evaluation = evaluations[index] as Evaluation;
      return (folds[index] as BudgetFold).add(askedRow, chain, evaluation, states);
    });
    if (states.length === 0 && rows.every(({ takes }) => takes.length === 0)) {
      count(askedRow, row, evaluations.map(withoutBudgets));
      return;
    }
    const doneAt = (place: RowPlace) => (results: readonly Replayed[]) => count(askedRow, place, results);
    queue.add({ at: askedRow.at, shown: states, rows, done: doneAt(row), keep: () => doneAt(apart(row)) });
  }

  return {
    reader: {
      async begin(view) {
        const countedRows = coveredRows(view, family, request.environment);
        await loadVersions(view, countedRows, parts);
        return { view, covered: countedRows, read: lazily(() => askedRows(view)) };
      },
      read({ view, covered, read }, begin, end) {
        const { times } = view;
        for (let place = begin; place < end; place += 1) {
          if (!queue.advance(times[place] as number)) return place;
          if (isEvaluated(covered, place)) evaluateRow(view, read(place), place);
          else if (isDryRun(covered, place) && (times[place] as number) >= start) totals.noteDryRun();
        }
        return end;
      },
      end: ({ view }) => totals.close(view),
    },
    finish: () => endOf(queue, signal),
  };
}

async function endOf(queue: FoldQueue, signal: AbortSignal | undefined): Promise<void> {
  while (!queue.end()) {
    await turn();
    assertWanted(signal);
  }
}

/** Returns the passports and rules for a record, after the change and before it. */
function evaluatorsOf(
  { request, after, before, recorded, askApplication }: ReplayRowsParts,
  { agent_id }: AskedRow,
  versions: Versions,
): readonly EvaluatedBy[] {
  const ownChain = versions === undefined ? undefined : recorded.peek(agent_id, ...versions);
  if (request.isRecorded) return [{ chain: ownChain, recorded: ownChain, askApplication }];
  const chains = before === undefined ? [after] : [after, before];
  return chains.map((chain) => ({ chain: chain.get(agent_id), recorded: ownChain, askApplication }));
}

/** Creates the reader only when the first row is read, because most blocks have no row that needs its columns. */
function lazily(make: () => ReadAsked): ReadAsked {
  let readRow: ReadAsked | undefined;
  return (place) => {
    readRow ??= make();
    return readRow(place);
  };
}

type Versions = readonly [version: number, ancestors: string | null] | undefined;

/**
 * Returns the versions that a record names. Returns `undefined` if the caller of the record was not allowed to see the
 * agent.
 */
function versionsOf({ versions, ancestors }: BlockView, place: number): Versions {
  const version = versions[place] as number;
  return version === 0 ? undefined : [version - 1, ancestors[place] ?? null];
}

async function loadVersions(
  view: BlockView,
  coveredRows: CoveredRows,
  { request, after, before, recorded }: ReplayRowsParts,
): Promise<void> {
  const asksIntent = (agent_id: string): boolean =>
    [after, before].some((chains) => chains?.get(agent_id)?.proof === ASKS_INTENT);
  const looksBack = (agent_id: string): boolean =>
    [after, before].some((chains) => {
      const chain = chains?.get(agent_id);
      return chain !== undefined && (chain.hasConditions || chain.hasHistory);
    });
  const { shapes, numbers } = view.reasons;
  const mayNeed = shapes.some(
    ({ codes }) => codes.includes('amount_invalid') || codes.includes('proof_invalid'),
  );
  const isProved = view.proofs.length > 0 && view.agents.texts.some(asksIntent);
  if (!request.isRecorded && !mayNeed && !isProved && !view.agents.texts.some(looksBack)) return;
  const needsVersions = (place: number, agent_id: string): boolean => {
    const codes = shapes[numbers[place] as number]?.codes ?? [];
    const isAmount = codes.includes('amount_invalid') && view.amounts.at(place) === null;
    const isProof = codes.includes('proof_invalid') || (view.proofs[place] != null && asksIntent(agent_id));
    return isAmount || isProof || looksBack(agent_id);
  };
  const loadedNames = new Set<string>();
  for (let place = 0; place < view.length; place += 1) {
    if (!isEvaluated(coveredRows, place)) continue;
    const number = coveredRows.agents[place] as number;
    const versions = versionsOf(view, place);
    if (versions === undefined) continue;
    const agent_id = view.agents.texts[number] as string;
    if (!request.isRecorded && !needsVersions(place, agent_id)) continue;
    const key = `${number}@${versions[0]}${versions[1] ?? ''}`;
    if (loadedNames.has(key)) continue;
    loadedNames.add(key);
    await recorded.load(agent_id, ...versions);
  }
}

/**
 * Marks a context of records in an environment that is not replayed. A context contains values that many
 * records share, such as the environment.
 */
const UNCOVERED = 0;
const EVALUATED = 1;
/** Marks a context of dry runs. They are counted but not evaluated. */
const DRY_RUN = 2;

interface CoveredRows {
  readonly agents: ArrayLike<number>;
  readonly contexts: ArrayLike<number>;
  readonly isMember: readonly boolean[];
  readonly kinds: readonly number[];
}

function coveredRows(
  { agents, contexts }: BlockView,
  { members }: Family,
  environment: ReplayRequest['environment'],
): CoveredRows {
  return {
    agents: agents.numbers,
    contexts: contexts.numbers,
    isMember: agents.texts.map((agent_id) => members.has(agent_id)),
    kinds: contexts.values.map((context) => {
      if (context.environment !== environment) return UNCOVERED;
      return context.dry_run ? DRY_RUN : EVALUATED;
    }),
  };
}

function isEvaluated({ agents, contexts, isMember, kinds }: CoveredRows, place: number): boolean {
  return isMember[agents[place] as number] === true && kinds[contexts[place] as number] === EVALUATED;
}

function isDryRun({ agents, contexts, isMember, kinds }: CoveredRows, place: number): boolean {
  return isMember[agents[place] as number] === true && kinds[contexts[place] as number] === DRY_RUN;
}

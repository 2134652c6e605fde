/** The records of a block that a replay covers: its agents, in its environment. */
import type { BlockView } from '../blocks/index.ts';
import type { Family } from './family.ts';
import type { ReplayRequest } from './request.ts';

/** The kind of a context whose records are of another environment. */
const UNCOVERED = 0;
/** The kind of a context whose records the replay judges. */
const JUDGED = 1;
/** The kind of a context whose records are dry runs, which are covered and not judged. */
const DRY_RUN = 2;

/** The columns of a block that say which of its records are covered. */
export interface CoveredRows {
  /** The numbers of the agent and the context of each row. */
  readonly agents: ArrayLike<number>;
  readonly contexts: ArrayLike<number>;
  /** By the number of an agent: whether it is one of those that are replayed. */
  readonly isMember: readonly boolean[];
  /** By the number of a context: `UNCOVERED`, `JUDGED` or `DRY_RUN`. */
  readonly kinds: readonly number[];
}

/** Reads which records of a block are covered. */
export function coveredRows(
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
      return context.dry_run ? DRY_RUN : JUDGED;
    }),
  };
}

/** Says whether the replay judges a record. */
export function isJudged({ agents, contexts, isMember, kinds }: CoveredRows, place: number): boolean {
  return isMember[agents[place] as number] === true && kinds[contexts[place] as number] === JUDGED;
}

/** Says whether a record is a dry run, which is covered and not judged. */
export function isDryRun({ agents, contexts, isMember, kinds }: CoveredRows, place: number): boolean {
  return isMember[agents[place] as number] === true && kinds[contexts[place] as number] === DRY_RUN;
}

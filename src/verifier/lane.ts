/** Reads that questions share: the wishes of one turn go together, and a later question joins a read that is new enough. */
import type { ConfirmPlan } from './plans.ts';

/** Reads an agent for a question that began at `at`. */
export type Lane = (id: string, at: number) => Promise<void>;

/** The parts of a lane. */
export interface LaneParts {
  readonly elapsed: () => number;
  readonly plansOf: (ids: readonly string[]) => readonly ConfirmPlan[];
  /** Sends a plan; returns the agents for which the answer had no room. */
  readonly unreadOf: (plan: ConfirmPlan) => Promise<readonly string[]>;
}

/** The age of a read under way up to which a question may join it: its state may be from 100 ms before. */
const JOINED_MS = 700;
/** The most requests for one agent while the answers have no room for it. */
const MAX_READS = 210;

interface Flight {
  readonly startedAt: number;
  readonly done: Promise<void>;
}

interface Wanted {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a lane of reads. */
export function createLane({ elapsed, plansOf, unreadOf }: LaneParts): Lane {
  const flights = new Map<string, Flight>();
  let wanted = new Map<string, Wanted>();

  function flush(): void {
    const mine = wanted;
    wanted = new Map();
    const left = new Set(mine.keys());
    for (const plan of plansOf([...left])) {
      const ids = [...left].filter((id) => Object.hasOwn(plan.agents, id) && isFor(plan, id));
      for (const id of ids) left.delete(id);
      const end = (finish: (one: Wanted) => void): void => {
        for (const id of ids) finish(mine.get(id) as Wanted);
      };
      readAll(plan).then(
        () => end(({ resolve }) => resolve()),
        (error: unknown) => end(({ reject }) => reject(error)),
      );
    }
  }

  async function readAll(plan: ConfirmPlan): Promise<void> {
    let unread = await unreadOf(plan);
    for (let reads = 1; unread.length > 0 && reads < MAX_READS; reads += 1) {
      unread = (await Promise.all(plansOf(unread).map(unreadOf))).flat();
    }
  }

  return (id, at) => {
    const flight = flights.get(id);
    if (flight !== undefined && at - flight.startedAt < JOINED_MS) return flight.done;
    if (wanted.size === 0) queueMicrotask(flush);
    const done = new Promise<void>((resolve, reject) => {
      wanted.set(id, { resolve, reject });
    });
    const own: Flight = { startedAt: elapsed(), done };
    flights.set(id, own);
    const end = (): void => {
      if (flights.get(id) === own) flights.delete(id);
    };
    done.then(end, end);
    return done;
  };
}

/** Says whether the plan answers the wish for this agent: next to an agent below it, its sight would not show. */
function isFor({ direct }: ConfirmPlan, id: string): boolean {
  return direct.size === 0 || direct.has(id);
}

/** Reads passports for verify requests, and confirms the passports in use. */

import { IdentityError } from '../errors.ts';
import type { Environment } from '../records.ts';
import type { Asking, Channel, Dated } from './channel.ts';
import type { Memory } from './memory.ts';
import { type ConfirmPlan, plansFor } from './plans.ts';

/** The error inside a verifier if a request turns out to need the service. It never reaches callers. */
export const ELSEWHERE: IdentityError = Object.freeze(
  new IdentityError('internal', 'This question is for the service.'),
);

type Lane = (id: string, atMs: number) => Promise<void>;

interface LaneParts {
  readonly elapsed: () => number;
  readonly plansOf: (ids: readonly string[]) => readonly ConfirmPlan[];
  /** Sends a request. Returns the agents that did not fit into the answer. */
  readonly unreadOf: (plan: ConfirmPlan) => Promise<readonly string[]>;
}

/**
 * The maximum age in milliseconds of a running read that a request may share. The state in the answer may be
 * up to 100 ms older than the start of the read.
 */
const JOINED_MS = 700;
const MAX_READS = 210;

interface Flight {
  readonly startedAt: number;
  readonly done: Promise<void>;
}

interface Wanted {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function createLane({ elapsed, plansOf, unreadOf }: LaneParts): Lane {
  const flights = new Map<string, Flight>();
  let wantedMap = new Map<string, Wanted>();

  function flush(): void {
    const batch = wantedMap;
    wantedMap = new Map();
    const leftNames = new Set(batch.keys());
    for (const plan of plansOf([...leftNames])) {
      const ids = [...leftNames].filter((id) => Object.hasOwn(plan.agents, id) && isFor(plan, id));
      for (const id of ids) leftNames.delete(id);
      const end = (finish: (entry: Wanted) => void): void => {
        for (const id of ids) finish(batch.get(id) as Wanted);
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

  return (id, atMs) => {
    const flight = flights.get(id);
    if (flight !== undefined && atMs - flight.startedAt < JOINED_MS) return flight.done;
    if (wantedMap.size === 0) queueMicrotask(flush);
    const donePromise = new Promise<void>((resolve, reject) => {
      wantedMap.set(id, { resolve, reject });
    });
    const ownFlight: Flight = { startedAt: elapsed(), done: donePromise };
    flights.set(id, ownFlight);
    const end = (): void => {
      if (flights.get(id) === ownFlight) flights.delete(id);
    };
    donePromise.then(end, end);
    return donePromise;
  };
}

/**
 * Returns `true` if the answer shows whether the API key sees this agent. A descendant of the agent in the same request
 * prevents this.
 */
function isFor({ direct }: ConfirmPlan, id: string): boolean {
  return direct.size === 0 || direct.has(id);
}

/** The API key of the verifier, as the service describes it. */
export interface VerifierKey {
  readonly account_id: string;
  readonly key_id: string;
  readonly environment: Environment;
}

/** Reads passports. */
export interface Reader {
  /** Returns the API key. Returns `undefined` before the first answer. */
  session(): VerifierKey | undefined;
  /**
   * Reads an agent and its ancestors for a request that began at `at`, or shares a running read that is recent enough.
   * Rejects with the error of the read.
   */
  read(agentId: string, atMs: number): Promise<void>;
  readAbove(agentId: string, atMs: number): Promise<void>;
  /** Sends a request that only confirms the API key, and stores the answer. Rejects with the error of the request. */
  look(): Promise<void>;
  /**
   * Confirms the agents of a plan. Returns `true` if the answer changed anything. Rejects with the error of the
   * request.
   */
  confirm(
    plan: ConfirmPlan,
    waitMs: number,
    limitMs: number,
  ): Promise<{ hasNews: boolean; roundTripMs: number }>;
}

/** The parts of a reader. */
export interface ReaderParts {
  readonly channel: Channel;
  readonly memory: Memory;
  readonly asking: Asking;
  readonly elapsed: () => number;
  /** The maximum milliseconds for which a verify request waits. */
  readonly timeoutMs: number;
}

const NO_PLAN: ConfirmPlan = { agents: {}, parents: new Map(), direct: new Set() };

export function createPassportReader({ channel, memory, asking, elapsed, timeoutMs }: ReaderParts): Reader {
  const unreadOf = async (plan: ConfirmPlan): Promise<readonly string[]> =>
    (await send(plan, 0, timeoutMs)).answer.unread;
  let session: VerifierKey | undefined;

  /** Sends a request. The answer is valid only if it is about this API key. Rejects with the error of the request. */
  async function receive(plan: ConfirmPlan, waitMs: number, limitMs: number): Promise<Dated> {
    const isRepeatable = waitMs === 0;
    const answer = await channel.confirm({ agents: plan.agents, waitMs, limitMs, isRepeatable });
    const { account_id, key_id } = answer;
    const isOther = session !== undefined && (session.key_id !== key_id || session.account_id !== account_id);
    if (isOther || memory.hasOtherAgents(plan, answer)) throw channel.notThisAnswer();
    return answer;
  }

  /** Stores an answer. Returns `true` if it changed anything, and `undefined` if the service must be asked. */
  function take(plan: ConfirmPlan, answer: Dated): boolean | undefined {
    if (!asking.take(answer)) return undefined;
    const { account_id, key_id, environment } = answer;
    session ??= { account_id, key_id, environment };
    return memory.apply(plan, answer);
  }

  async function send(
    plan: ConfirmPlan,
    waitMs: number,
    limitMs: number,
  ): Promise<{ readonly answer: Dated; readonly hasNews: boolean }> {
    let answer: Dated;
    try {
      answer = await receive(plan, waitMs, limitMs);
    } catch (error) {
      if (asking.fail(error)) throw ELSEWHERE;
      throw error;
    }
    const hasNews = take(plan, answer);
    if (hasNews === undefined) throw ELSEWHERE;
    return { answer, hasNews };
  }

  return {
    session: () => session,
    read: createLane({ elapsed, unreadOf, plansOf: (ids) => plansFor(memory, ids) }),
    readAbove: createLane({ elapsed, unreadOf, plansOf: (ids) => plansFor(memory, [], ids) }),
    async look() {
      try {
        take(NO_PLAN, await receive(NO_PLAN, 0, timeoutMs));
      } catch (error) {
        asking.fail(error);
        throw error;
      }
    },
    async confirm(plan, waitMs, limitMs) {
      const { answer, hasNews } = await send(plan, waitMs, limitMs);
      return { hasNews, roundTripMs: answer.roundTripMs };
    },
  };
}

/** Reads passports for questions, and keeps those in use confirmed. */
import type { Environment } from '../records.ts';
import type { Asking } from './asking.ts';
import type { Channel, Dated } from './channel.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { createLane } from './lane.ts';
import type { Memory } from './memory.ts';
import { type ConfirmPlan, plansFor } from './plans.ts';

/** The key behind the verifier, as the service names it. */
export interface VerifierKey {
  readonly account_id: string;
  readonly key_id: string;
  readonly environment: Environment;
}

/** Reads passports. */
export interface Reader {
  /** The key; `undefined` before the first answer. */
  readonly session: VerifierKey | undefined;
  /**
   * Reads an agent that a question at `at` names, with those above it, or joins a read that is new enough. Rejects with
   * the error of the read.
   */
  read(agentId: string, at: number): Promise<void>;
  /** Reads an agent that is looked up because it is above another one. */
  readAbove(agentId: string, at: number): Promise<void>;
  /** Asks the service for the key alone, and takes its answer. Rejects with the error of the request. */
  look(): Promise<void>;
  /** Confirms a plan; `true` if the answer changed anything. Rejects with the error of the request. */
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
  /** The milliseconds that a question waits. */
  readonly timeoutMs: number;
}

const NO_PLAN: ConfirmPlan = { agents: {}, parents: new Map(), direct: new Set() };

/** Makes the reader of one verifier. */
export function createPassportReader({ channel, memory, asking, elapsed, timeoutMs }: ReaderParts): Reader {
  const unreadOf = async (plan: ConfirmPlan): Promise<readonly string[]> =>
    (await send(plan, 0, timeoutMs)).answer.unread;
  let session: VerifierKey | undefined;

  /** Sends a request; the answer counts only if it is about this key. Rejects with the error of the request. */
  async function receive(plan: ConfirmPlan, waitMs: number, limitMs: number): Promise<Dated> {
    const isRepeatable = waitMs === 0;
    const answer = await channel.confirm({ agents: plan.agents, waitMs, limitMs, isRepeatable });
    const { account_id, key_id } = answer;
    const isOther = session !== undefined && (session.key_id !== key_id || session.account_id !== account_id);
    if (isOther || memory.isStranger(plan, answer)) throw channel.notThisAnswer();
    return answer;
  }

  /** Takes an answer. Returns `true` if it changed anything; `undefined` if the service has to be asked. */
  function take(plan: ConfirmPlan, answer: Dated): boolean | undefined {
    if (!asking.take(answer)) return undefined;
    const { account_id, key_id, environment } = answer;
    session ??= { account_id, key_id, environment };
    return memory.apply(plan, answer);
  }

  /** Sends a request and takes its answer. Rejects with `ELSEWHERE` if the service has to be asked. */
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
    get session() {
      return session;
    },
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

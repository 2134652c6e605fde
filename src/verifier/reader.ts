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
  /** Asks the service for the key alone. Never rejects. */
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

  /** Sends a request; the answer counts only if it is about this key. */
  async function send(
    plan: ConfirmPlan,
    waitMs: number,
    limitMs: number,
  ): Promise<{ readonly answer: Dated; readonly hasNews: boolean }> {
    let answer: Dated;
    try {
      const isRepeatable = waitMs === 0;
      answer = await channel.confirm({ agents: plan.agents, waitMs, limitMs, isRepeatable });
    } catch (error) {
      if (asking.fail(error)) throw ELSEWHERE;
      throw error;
    }
    const { account_id, key_id, environment } = answer;
    const isOther = session !== undefined && (session.key_id !== key_id || session.account_id !== account_id);
    if (isOther || memory.isStranger(plan, answer)) throw channel.notThisAnswer();
    if (!asking.take(answer)) throw ELSEWHERE;
    session ??= { account_id, key_id, environment };
    return { answer, hasNews: memory.apply(plan, answer) };
  }

  return {
    get session() {
      return session;
    },
    read: createLane({ elapsed, unreadOf, plansOf: (ids) => plansFor(memory, ids) }),
    readAbove: createLane({ elapsed, unreadOf, plansOf: (ids) => plansFor(memory, [], ids) }),
    async look() {
      try {
        await send(NO_PLAN, 0, timeoutMs);
      } catch {
        // The questions show it.
      }
    },
    async confirm(plan, waitMs, limitMs) {
      const { answer, hasNews } = await send(plan, waitMs, limitMs);
      return { hasNews, roundTripMs: answer.roundTripMs };
    },
  };
}

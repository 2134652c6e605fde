/** Spends over HTTP, for callers that may settle them. */
import type { Spend } from '../records.ts';
import type { OnceOptions, SettleInput } from '../service.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions } from './transport.ts';

/** The amounts that verdicts have spent of budgets, or hold. */
export interface ClientSpends {
  /** Returns the current spend; `not_found` when the caller does not see it. */
  get(decisionId: string, options?: RequestOptions): Promise<Spend>;
  /**
   * Commits a held amount; with a smaller `amount` the rest is given back. The request has an `Idempotency-Key`, a new
   * one when none is given, and is sent once more when the connection breaks.
   */
  commit(decisionId: string, input?: SettleInput, options?: RequestOptions & OnceOptions): Promise<Spend>;
  /** Gives back a held amount or, with the scope `refund` or as the account, a spent one. Sent as `commit`. */
  release(decisionId: string, input?: SettleInput, options?: RequestOptions & OnceOptions): Promise<Spend>;
}

/** A request about a spend. */
export interface SpendCall {
  readonly path: string;
  /** The amount to settle; absent: the spend is only read. */
  readonly input?: SettleInput;
  readonly options: (RequestOptions & OnceOptions) | undefined;
}

/**
 * Makes the verbs of spends; `ask` sends a request, and `notThisAnswer` makes the error for an answer about another
 * spend.
 */
export function spendsOf(
  ask: (request: SpendCall) => Promise<unknown>,
  notThisAnswer: () => Error,
): ClientSpends {
  async function answerOf(decisionId: string, request: SpendCall): Promise<Spend> {
    const spend = (await ask(request)) as Spend;
    if (Object(spend).decision_id === decisionId && typeof Object(spend).status === 'string') return spend;
    throw notThisAnswer();
  }

  return {
    get: (id, options) => answerOf(id, { path: pathOf`/spends/${id}`, options }),
    commit: (id, input = {}, options) => answerOf(id, { path: pathOf`/spends/${id}/commit`, input, options }),
    release: (id, input = {}, options) =>
      answerOf(id, { path: pathOf`/spends/${id}/release`, input, options }),
  };
}

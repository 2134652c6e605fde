/** Spends over HTTP, for callers that may settle them. */
import type { Spend } from '../records.ts';
import type { OnceOptions, SettleInput } from '../service.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions } from './transport.ts';

/** What verdicts have spent of budgets, or hold. */
export interface ClientSpends {
  /** Its present state; `not_found` where it is not seen. */
  get(decisionId: string, options?: RequestOptions): Promise<Spend>;
  /**
   * Spends what is held; of a smaller `amount` the rest goes back. Sent with an `Idempotency-Key`, made here where none is
   * given, and so once more when the connection breaks.
   */
  commit(decisionId: string, input?: SettleInput, options?: RequestOptions & OnceOptions): Promise<Spend>;
  /** Gives back what is held or, with the scope `refund` or as the account, what was spent. Sent as `commit`. */
  release(decisionId: string, input?: SettleInput, options?: RequestOptions & OnceOptions): Promise<Spend>;
}

/** One request about a spend. */
export interface SpendCall {
  readonly path: string;
  /** Absent: it is only read. */
  readonly input?: SettleInput;
  readonly options: (RequestOptions & OnceOptions) | undefined;
}

/** The spends behind `ask`, which sends a request; `notThisAnswer` makes the error for an answer about another. */
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

/** Spends over HTTP, for callers that may settle them. */
import type { Spend } from '../records.ts';
import type { ClientSpends, OnceOptions, SettleInput } from '../service.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions } from './transport.ts';

/** A request about a spend. */
export interface SpendCall {
  readonly path: string;
  /** The amount to settle; absent: the spend is only read. */
  readonly input?: SettleInput;
  readonly options: (RequestOptions & OnceOptions) | undefined;
}

/**
 * Makes the methods of spends; `ask` sends a request, and `notThisAnswer` makes the error for an answer about another
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

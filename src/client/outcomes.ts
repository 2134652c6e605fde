/** Reports of outcomes over HTTP. */
import { jsonData, jsonText, MAX_BATCH_MEMBERS } from '../base/values/json-data.ts';
import type { OutcomeInput, OutcomesAccepted } from '../records/outcome.ts';
import type { ClientRequest, RequestOptions } from './transport.ts';

export type { Outcome, OutcomeInput, OutcomesAccepted } from '../records/outcome.ts';

/** The reports that a key makes. */
export interface ClientOutcomes {
  /**
   * Reports what came of 1 to 100 verdicts. Sent once; it can be repeated, because of equal reports one counts. Rejects
   * with `not_found` at a service of before this endpoint.
   */
  report(outcomes: readonly OutcomeInput[], options?: RequestOptions): Promise<OutcomesAccepted>;
  /** The milliseconds for which a guard collects reports, so that it does not send each by itself. */
  readonly collectMs: number;
}

const COLLECT_MS = 1_000;

/** Makes the method; `post` sends a body, and `notThisAnswer` makes the error for another answer. */
export function outcomesOf(
  post: (path: string, body: ClientRequest['body'], options: RequestOptions | undefined) => Promise<unknown>,
  notThisAnswer: () => Error,
): ClientOutcomes {
  return {
    collectMs: COLLECT_MS,
    async report(given, options) {
      const outcomes = jsonData(given, MAX_BATCH_MEMBERS) as readonly OutcomeInput[];
      const answer = await post('/verifications/outcomes', jsonText({ outcomes }), options);
      const { accepted } = Object(answer) as Partial<OutcomesAccepted>;
      if (accepted !== Object(outcomes).length) throw notThisAnswer();
      return { accepted: accepted as number };
    },
  };
}

/** Reports outcomes over HTTP. */
import { jsonData, MAX_BATCH_MEMBERS } from '../base/values/json-data.ts';
import type { OutcomeInput, OutcomesAccepted } from '../records/outcome.ts';
import type { ClientRequests } from './requests.ts';
import type { RequestOptions } from './transport.ts';

export type { Outcome, OutcomeInput, OutcomesAccepted } from '../records/outcome.ts';

/** Reports outcomes with an API key. */
export interface ClientOutcomes {
  /**
   * Reports the outcomes of 1 to 100 verdicts. The client sends the reports once. You can repeat the call, because
   * equal reports count once.
   *
   * @throws {IdentityError} `not_found` for an agent that the key does not see, or if the service is older than this
   * endpoint.
   * @throws {IdentityError} `invalid_request` for a malformed report, or a verdict that is older than 7 days.
   */
  report(outcomes: readonly OutcomeInput[], options?: RequestOptions): Promise<OutcomesAccepted>;
  /** The milliseconds for which a guard collects reports before it sends them together. */
  readonly collectMs: number;
}

const COLLECT_MS = 1_000;

/** Creates the method `report`, which uses the given requests. */
export function outcomesOf({ change, notThisAnswer }: ClientRequests): ClientOutcomes {
  return {
    collectMs: COLLECT_MS,
    async report(inputs, options) {
      const outcomes = jsonData(inputs, MAX_BATCH_MEMBERS) as readonly OutcomeInput[];
      const request = { input: { outcomes }, options, success: 200 } as const;
      const answer = await change<Partial<OutcomesAccepted>>('POST', '/verifications/outcomes', request);
      const { accepted } = Object(answer) as Partial<OutcomesAccepted>;
      if (accepted !== Object(outcomes).length) throw notThisAnswer();
      return { accepted: accepted as number };
    },
  };
}

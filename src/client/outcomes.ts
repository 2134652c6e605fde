/** Reports of outcomes over HTTP. */
import { jsonData, MAX_BATCH_MEMBERS } from '../base/values/json-data.ts';
import type { OutcomeInput, OutcomesAccepted } from '../records/outcome.ts';
import type { ClientRequests } from './requests.ts';
import type { RequestOptions } from './transport.ts';

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

/** Makes the method over these requests. */
export function outcomesOf({ change, notThisAnswer }: ClientRequests): ClientOutcomes {
  return {
    collectMs: COLLECT_MS,
    async report(given, options) {
      const outcomes = jsonData(given, MAX_BATCH_MEMBERS) as readonly OutcomeInput[];
      const asked = { input: { outcomes }, options, success: 200 } as const;
      const answer = await change<Partial<OutcomesAccepted>>('POST', '/verifications/outcomes', asked);
      const { accepted } = Object(answer) as Partial<OutcomesAccepted>;
      if (accepted !== Object(outcomes).length) throw notThisAnswer();
      return { accepted: accepted as number };
    },
  };
}

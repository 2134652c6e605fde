/** Creates the method `guard` of a client that gets verdicts and reports outcomes. */
import { guardedCall, isStillThere } from '../base/async/guarded-call.ts';
import { createOutcomeReports, NO_REPORTS } from '../base/async/outcome-reports.ts';
import { jsonData, MAX_BATCH_MEMBERS } from '../base/values/json-data.ts';
import { warn } from '../base/warn.ts';
import type { Spends } from '../core.ts';
import type { OutcomeInput, OutcomesAccepted } from '../records/outcome.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { ClientRequests } from './requests.ts';
import { type RequestOptions, signalOf } from './transport.ts';

// Reports outcomes over HTTP.

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

/** The options of a guard, without the options for `verify`. */
export interface GuardOptions {
  /** `false` to report no outcome of the action; default `true`. */
  readonly outcomes?: boolean;
}

/** The methods that a guard uses. */
interface Asked<Options> {
  verify(intent: Intent, options?: Options): Promise<VerdictRecord>;
  readonly spends: Spends;
  readonly outcomes: ClientOutcomes;
}

/** Creates `guard` from a `verify` method, and the methods of the client for spends and outcomes. */
export function guardOf<Options extends RequestOptions & { readonly idempotencyKey?: string }>({
  verify,
  spends,
  outcomes,
}: Asked<Options>) {
  const reports = createOutcomeReports(outcomes, warn);
  return <T>(
    intent: Intent,
    callback: (record: VerdictRecord) => T | Promise<T>,
    callOptions?: Options & GuardOptions,
  ): Promise<T> => {
    const { outcomes: isReporting = true, ...askedOptions } = callOptions ?? {};
    const options = callOptions && (askedOptions as unknown as Options);
    const reportsOn = isReporting ? reports : NO_REPORTS;
    const verdicts = {
      async verify(intent: Intent) {
        const record = await verify(intent, options);
        if (options?.signal?.aborted) reportsOn(record)('not_attempted');
        options?.signal?.throwIfAborted();
        return record;
      },
      reportsOn,
      isThere:
        options?.idempotencyKey === undefined
          ? undefined
          : async (id: string) => isStillThere(await spends.get(id, signalOf(options))),
    };
    return guardedCall(verdicts, intent, callback);
  };
}

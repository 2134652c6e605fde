/** Creates the method `guard` of a client that gets verdicts and reports outcomes. */
import { guardedCall, isStillThere } from '../base/async/guarded-call.ts';
import { createOutcomeReports, NO_REPORTS } from '../base/async/outcome-reports.ts';
import { warn } from '../base/warn.ts';
import type { Spends } from '../core.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { ClientOutcomes } from './outcomes.ts';
import { type RequestOptions, signalOf } from './transport.ts';

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

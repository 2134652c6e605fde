/** The entry point `./metrics`: metrics for Prometheus, in text format 0.0.4. */

import { ENVIRONMENTS, REASON_CODES, VERDICTS } from '../base/values/vocabulary.ts';
import { VERSION } from '../base/version.ts';
import { IdentityError } from '../errors.ts';
import type { LogPending, ServiceFigures, ServiceMetrics } from '../ports/metrics.ts';
import type { Reason } from '../records/reason.ts';
import {
  createHistogram,
  createStorageCounts,
  family,
  type Histogram,
  histogramFamily,
  type Sample,
} from './exposition.ts';
import { createNameCounts, type NameCounts } from './name-counts.ts';
import { CACHE_KINDS, createServiceSums } from './service-sums.ts';

export type * from '../ports/metrics.ts';
export type { StorageEvent } from '../ports/storage-events.ts';
export type { VerdictRecord } from '../records.ts';

/** The metrics of one process. */
export interface Metrics extends Required<ServiceMetrics> {
  /** Returns all metrics in the text format of Prometheus. */
  text(): string;
  /** The `Content-Type` for the result of `text`. */
  readonly contentType: string;
}

const MAX_NAMES = 64;
const MAX_ROUTES = 1_000;
const MAX_KINDS = 16;

/**
 * Creates metrics for the option `metrics` of `createIdentityService`. If you only want verdicts and errors, pass
 * `onVerdict` and `onError` of the result as the options of the same names. Several services may share the metrics. No
 * label contains an agent, an API key or an action.
 */
export function createMetrics(): Metrics {
  const verdicts = new Float64Array(VERDICTS.length * ENVIRONMENTS.length * 2);
  const reasons = createNameCounts(MAX_NAMES, REASON_CODES);
  const errors = createNameCounts(MAX_NAMES);
  const requests = createNameCounts(MAX_ROUTES);
  const tokens = createNameCounts(MAX_NAMES);
  const duration = createHistogram();
  const storage = new Map<string, Histogram>();
  const storageEvents = createStorageCounts();
  const services = createServiceSums();

  return {
    onVerdict({ verdict, environment, dry_run, reasons: givenReasons }, { latencyUs }) {
      const place = (verdict === 'ALLOW' ? 0 : 4) + (environment === 'live' ? 0 : 2) + (dry_run ? 1 : 0);
      verdicts[place] = (verdicts[place] as number) + 1;
      for (let index = 0; index < givenReasons.length; index += 1)
        reasons.add((givenReasons[index] as Reason).code);
      duration.observe(latencyUs / 1e6);
    },
    onError: (error) => errors.add(error instanceof IdentityError ? error.code : 'unknown'),
    onRequest: (route, status) => requests.add(`${status} ${route}`),
    onStorage(kind, seconds) {
      const histogram = storage.get(kind) ?? createHistogram();
      if (storage.size < MAX_KINDS) storage.set(kind, histogram);
      histogram.observe(seconds);
    },
    onToken: (result) => tokens.add(result),
    onStorageEvent: storageEvents.count,
    watch: services.watch,
    text() {
      const figures = services.read();
      return [
        family(
          'agent_identity_verdicts_total',
          { type: 'counter', help: 'Verdicts that were answered.' },
          verdictSamples(verdicts),
        ),
        family(
          'agent_identity_reasons_total',
          { type: 'counter', help: 'Reasons of denials.' },
          samplesOf(reasons, (code) => ({ code })),
        ),
        histogramFamily('agent_identity_verdict_duration_seconds', 'Time from the question to the verdict.', [
          [{}, duration],
        ]),
        family(
          'agent_identity_errors_total',
          { type: 'counter', help: 'Errors that kept a verdict from being answered.' },
          samplesOf(errors, (code) => ({ code })),
        ),
        family(
          'agent_identity_http_requests_total',
          { type: 'counter', help: 'Answers of the API by the template of the path.' },
          samplesOf(requests, routeLabels),
        ),
        family(
          'agent_identity_tokens_total',
          { type: 'counter', help: 'Requests for access tokens by their result.' },
          samplesOf(tokens, (result) => ({ result })),
        ),
        ...(figures === undefined ? [] : figureFamilies(figures)),
        histogramFamily(
          'agent_identity_storage_duration_seconds',
          'Time of the calls of the storage.',
          [...storage].map(([kind, histogram]) => [{ kind }, histogram] as const),
        ),
        ...storageEvents.families(),
        family('agent_identity_build_info', { type: 'gauge', help: 'The version of the package.' }, [
          [{ version: VERSION }, 1],
        ]),
      ].join('');
    },
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  };
}

function samplesOf(counts: NameCounts, labelsOf: (name: string) => Sample[0]): readonly Sample[] {
  return counts.read().map(([name, count]) => [labelsOf(name), count]);
}

function routeLabels(name: string): Sample[0] {
  const [status = '', route = ''] = name.split(' ');
  return route === '' ? { route: name, status: name } : { route, status };
}

/**
 * Returns a sample for each of the eight combinations of verdict, environment and dry run, including zeros.
 * Rates are therefore known from the first verdict.
 */
function verdictSamples(verdicts: Float64Array): readonly Sample[] {
  return VERDICTS.flatMap((verdict, v) =>
    ENVIRONMENTS.flatMap((environment, e) =>
      ['false', 'true'].map((dry_run, d): Sample => {
        return [{ verdict, environment, dry_run }, verdicts[4 * v + 2 * e + d] as number];
      }),
    ),
  );
}

function figureFamilies({ journal, caches, storageUp, log }: ServiceFigures): readonly string[] {
  const byKind = (count: 'hits' | 'misses') =>
    CACHE_KINDS.map((kind): Sample => [{ kind }, caches[kind][count]]);
  return [
    family(
      'agent_identity_journal_queue',
      { type: 'gauge', help: 'Verdict records that wait for the storage.' },
      [[{}, journal.queue]],
    ),
    family(
      'agent_identity_journal_dropped_total',
      { type: 'counter', help: 'Verdict records that were dropped.' },
      [[{}, journal.dropped]],
    ),
    family(
      'agent_identity_cache_hits_total',
      { type: 'counter', help: 'Look-ups that were answered from memory.' },
      byKind('hits'),
    ),
    family(
      'agent_identity_cache_misses_total',
      { type: 'counter', help: 'Look-ups that read the storage.' },
      byKind('misses'),
    ),
    family(
      'agent_identity_storage_up',
      { type: 'gauge', help: 'Whether the last call of the storage was answered.' },
      [[{}, storageUp ? 1 : 0]],
    ),
    ...(log === undefined ? [] : logFamilies(log)),
  ];
}

function logFamilies({ count, oldestSeconds }: LogPending): readonly string[] {
  return [
    family(
      'agent_identity_log_pending',
      { type: 'gauge', help: 'Blocks and changes that wait for their leaf in a log.' },
      [[{}, count]],
    ),
    family(
      'agent_identity_log_oldest_pending_seconds',
      { type: 'gauge', help: 'The time for which the oldest of them waits.' },
      [[{}, oldestSeconds]],
    ),
  ];
}

/** Metrics of a host, whose failures change no verdict and no answer. */
import type { ServiceMetrics } from '../../ports/metrics.ts';
import type { Logger } from '../../ports/storage.ts';

/** Metrics whose methods do not throw. */
export interface SafeMetrics extends Omit<ServiceMetrics, 'onVerdict'> {
  /** As the host gave them: `onVerdict` is called on these, as a wrapper would take as long as the counting. */
  readonly given: ServiceMetrics;
  /** Takes what `onVerdict` of them threw. */
  readonly fail: (error: unknown) => void;
}

/** The same metrics; what they throw is a line in the log, the first time. */
export function safeMetrics(metrics: ServiceMetrics, log: Logger): SafeMetrics {
  let hasFailed = false;

  function fail(error: unknown): void {
    if (hasFailed) return;
    hasFailed = true;
    const message = `metrics threw ${error instanceof Error ? error.name : 'something'}.`;
    log({ level: 'error', event: 'hook_failed', message });
  }

  function safe<Given extends readonly unknown[]>(
    count: (...given: Given) => void,
  ): (...given: Given) => void {
    return (...given) => {
      try {
        count(...given);
      } catch (error) {
        fail(error);
      }
    };
  }

  return {
    given: metrics,
    fail,
    onError: safe((error) => metrics.onError(error)),
    onRequest: safe((route, status) => metrics.onRequest(route, status)),
    onStorage: safe((kind, seconds) => metrics.onStorage(kind, seconds)),
    watch: (figures) => metrics.watch(figures),
  };
}

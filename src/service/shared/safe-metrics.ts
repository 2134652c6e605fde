/** Wraps the metrics of the host, so that their failures change no verdict and no answer. */
import type { ServiceMetrics } from '../../ports/metrics.ts';
import type { Logger } from '../../ports/storage.ts';

/** Metrics whose methods do not throw. */
export interface SafeMetrics extends Required<Omit<ServiceMetrics, 'onVerdict'>> {
  /** The metrics of the host, for calls of `onVerdict`: a wrapper would take as long as the counting. */
  readonly given: ServiceMetrics;
  /** Reports an error that `onVerdict` has thrown. */
  readonly fail: (error: unknown) => void;
}

/** Wraps metrics; their first error is logged. */
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
    onStorageEvent: safe((event) => metrics.onStorageEvent?.(event)),
    watch: (figures) => metrics.watch(figures),
  };
}

/** Adds the method `analytics`, which sums up the verdicts of a period. */
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { type AskAnalytics, createAnalytics } from './analytics.ts';
import { analyticsOperations } from './operations.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
export type {
  Analytics,
  AnalyticsQuery,
  AskAnalytics,
  OutcomeSums,
  SeriesPoint,
  TopEntry,
} from './analytics.ts';

/**
 * The method `analytics`. In process, its options name the account. In a client and in `service.as`, the account is
 * fixed.
 */
export interface AnalyticsRooms<Options> {
  /**
   * Returns sums over the verdicts of a period. The cost does not depend on the number of verdicts.
   *
   * @throws {IdentityError} `invalid_request` for a wrong filter, or a period of more than 1,000 intervals.
   */
  readonly analytics: AskAnalytics<Options>;
}

/** The capability that `analytics` returns. */
export type AnalyticsCapability = Capability<AnalyticsRooms<Actor>, AnalyticsRooms<CallOptions>>;

/**
 * Returns the capability that sums up recorded verdicts.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { analytics } from 'agent-identity-service/analytics';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({ storage: memoryStorage(), capabilities: [analytics()] });
 * await service.verify({ agent_id: 'did:web:example.com:agents:nobody', action: 'orders.read' });
 * const { overview } = await service.analytics();
 * console.log(overview.denied); // 0
 */
export function analytics(): AnalyticsCapability {
  const capability: WholeCapability<AnalyticsRooms<Actor>, AnalyticsRooms<CallOptions>> = {
    name: 'analytics',
    operations: [analyticsOperations],
    open: (core) => ({ rooms: { '': { analytics: createAnalytics(core, core.journal) } } }),
  };
  return capability;
}

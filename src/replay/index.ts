/** Replay: evaluates recorded verdicts again, with the current passports or with a change. */
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { replayOperations } from './operations.ts';
import { createPassportReplay, createReplayLimit } from './replay.ts';
import type { PassportReplays, ReplayCallOptions } from './request.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
export type { PassportReplays, ReplayCallOptions, ReplayInput } from './request.ts';

/** The property that replay adds to the service. */
export interface ReplayRooms<Options> {
  /** The passports, with the method `replay`. */
  readonly passports: PassportReplays<Options>;
}

/** The capability that `replay` returns. */
export type ReplayCapability = Capability<ReplayRooms<Actor & ReplayCallOptions>, ReplayRooms<CallOptions>>;

/**
 * Returns the capability that evaluates recorded verdicts again.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { replay } from 'agent-identity-service/replay';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({ storage: memoryStorage(), capabilities: [replay()] });
 * const { agent_id } = await service.passports.create({
 *   domain: 'example.com',
 *   agent_name: 'reader',
 *   allowed_actions: ['orders.read'],
 *   monetary_limit_per_txn: 0,
 * });
 * await service.verify({ agent_id, action: 'orders.read' });
 * const patch = { denied_actions: ['orders.*'] };
 * const { now_denied } = await service.passports.replay(agent_id, { patch });
 * console.log(now_denied); // 1
 */
export function replay(): ReplayCapability {
  const capability: WholeCapability<ReplayRooms<Actor & ReplayCallOptions>, ReplayRooms<CallOptions>> = {
    name: 'replay',
    operations: [replayOperations],
    open(core) {
      const limit = createReplayLimit(core);
      return {
        rooms: { passports: { replay: createPassportReplay(core, core) } },
        limits: { replay: limit.count },
        stop: limit.close,
      };
    },
  };
  return capability;
}

/** Serves local verifiers: confirms the passports that other processes evaluate, and stores their verdicts. */
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import { createVerifiers, type Verifiers } from './verifiers.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { CallOptions, KeyCaller } from '../core/shared/callers.ts';
export type { Verifiers } from './verifiers.ts';

/** The property that local verifiers add to the service, in process and over HTTP. */
export interface VerifierRooms {
  /** Confirms the passports of local verifiers, and stores their verdicts. */
  readonly verifiers: Verifiers;
}

/** The capability that `verifiers` returns. */
export type VerifierCapability = Capability<VerifierRooms, object>;

/**
 * Returns the capability that serves the local verifiers of `agent-identity-service/verifier`.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 * import { verifiers } from 'agent-identity-service/verifiers';
 *
 * const service = createIdentityService({ storage: memoryStorage(), capabilities: [verifiers()] });
 * console.log(typeof service.verifiers.confirm); // function
 */
export function verifiers(): VerifierCapability {
  const capability: WholeCapability<VerifierRooms, object> = {
    name: 'verifiers',
    operations: [],
    open(core) {
      const room = createVerifiers(core, {
        callers: core.demanded('callers'),
        ...core.demanded('decidedElsewhere'),
      });
      return { rooms: {}, hostRooms: { verifiers: room }, stop: async () => room.end() };
    },
  };
  return capability;
}

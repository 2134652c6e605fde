/** Erasure: removes the subjects of intents from records, and the data of single agents. */
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { purgeOperations, subjectOperations } from './operations.ts';
import { createPurge, type PassportPurges } from './purge.ts';
import { createSubjects, type Subjects } from './subjects.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
export type { PassportPurges } from './purge.ts';
export type { SubjectErasure, SubjectInput, Subjects } from './subjects.ts';

/** The properties that erasure adds to the service. */
export interface ErasureRooms<Options> {
  /** The passports, with the method `purge`. */
  readonly passports: PassportPurges<Options>;
  /** Erases the subjects that intents name. */
  readonly subjects: Subjects<Options>;
}

/** The capability that `erasure` returns. */
export type ErasureCapability = Capability<ErasureRooms<Actor>, ErasureRooms<CallOptions>>;

/**
 * Returns the capability that erases subjects and agents. Every service deletes accounts, and completes the erasures
 * that other nodes have begun.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { erasure } from 'agent-identity-service/erasure';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({ storage: memoryStorage(), capabilities: [erasure()] });
 * const { agent_id } = await service.passports.create({
 *   domain: 'example.com',
 *   agent_name: 'reader',
 *   allowed_actions: ['orders.read'],
 *   monetary_limit_per_txn: 0,
 * });
 * await service.verify({ agent_id, action: 'orders.read', subject: 'user-7' });
 * const { erased } = await service.subjects.erase({ subject: 'user-7' });
 * console.log(erased); // 1
 */
export function erasure(): ErasureCapability {
  const capability: WholeCapability<ErasureRooms<Actor>, ErasureRooms<CallOptions>> = {
    name: 'erasure',
    operations: [purgeOperations, subjectOperations],
    open: (core) => ({
      rooms: {
        passports: createPurge(core, core.demanded('wakeErasures')),
        subjects: createSubjects(core, core.journal),
      },
    }),
  };
  return capability;
}

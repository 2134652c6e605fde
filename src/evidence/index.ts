/** The evidence log: a log for each account that cannot be rewritten unseen. */
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import type { Evidence } from './evidence.ts';
import { type EvidenceOptions, type Logs, openEvidence } from './open-evidence.ts';
import { evidenceOperations, receiptOperations } from './operations.ts';
import type { VerdictReceipts } from './receipts.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
export type { Evidence, EvidenceQuery, PublicLogs } from './evidence.ts';
export type { EvidenceOptions, Logs } from './open-evidence.ts';
export type { ReceiptQuery, VerdictReceipts } from './receipts.ts';

/** The rooms of the evidence log: in process with the actor in the options, and of one account. */
export interface EvidenceRooms<Options> {
  /** The log of the account, which cannot be rewritten unseen. */
  readonly evidence: Evidence<Options>;
  /** The recorded verdicts, with the method `receipt`. */
  readonly verifications: VerdictReceipts<Options>;
}

/** The rooms in process, which have the logs of all accounts as well. */
export interface HostEvidenceRooms extends EvidenceRooms<Actor> {
  /** The logs of accounts: the parts that third parties may read, and the methods of operators. */
  readonly logs: Logs;
}

/** The capability that `evidence` returns. */
export type EvidenceCapability = Capability<HostEvidenceRooms, EvidenceRooms<CallOptions>>;

const NAMES: OptionNames<EvidenceOptions> = { begins: true };

/**
 * Returns the capability that keeps the evidence log: a leaf for each block of verdicts and each change. The service
 * needs `identity.publicUrl`.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { evidence } from 'agent-identity-service/evidence';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({
 *   storage: memoryStorage(),
 *   identity: { secret: 'a secret of 32 characters or more', publicUrl: 'https://id.example.com/api' },
 *   capabilities: [evidence()],
 * });
 * console.log(typeof service.evidence.state); // function
 */
export function evidence(options: EvidenceOptions = {}): EvidenceCapability {
  const known = knownOptions('evidence', options, NAMES);
  const capability: WholeCapability<HostEvidenceRooms, EvidenceRooms<CallOptions>> = {
    name: 'evidence',
    operations: [evidenceOperations, receiptOperations],
    open: (core) => openEvidence(core, known),
  };
  return capability;
}

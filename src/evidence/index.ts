/** The evidence log: a log of each account in which later changes can be detected. */
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

/** The properties that the evidence log adds to the service. */
export interface EvidenceRooms<Options> {
  /** The evidence log of the account, in which later changes can be detected. */
  readonly evidence: Evidence<Options>;
  /** The recorded verdicts, with the method `receipt`. */
  readonly verifications: VerdictReceipts<Options>;
}

/** The properties that the evidence log adds to a service in process, with the logs of all accounts. */
export interface HostEvidenceRooms extends EvidenceRooms<Actor> {
  /** The logs of all accounts: documents for third parties, and methods for operators. */
  readonly logs: Logs;
}

/** The capability that `evidence` returns. */
export type EvidenceCapability = Capability<HostEvidenceRooms, EvidenceRooms<CallOptions>>;

const NAMES: OptionNames<EvidenceOptions> = { begins: true };

/**
 * Returns the capability that keeps the evidence log: a leaf for each block of verdicts and each change. The service
 * needs `identity` with a `publicUrl`.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { evidence } from 'agent-identity-service/evidence';
 * import { identity } from 'agent-identity-service/identity';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({
 *   storage: memoryStorage(),
 *   capabilities: [
 *     identity({ secret: 'a secret of 32 characters or more', publicUrl: 'https://id.example.com/api' }),
 *     evidence(),
 *   ],
 * });
 * console.log(typeof service.evidence.state); // function
 */
export function evidence(options: EvidenceOptions = {}): EvidenceCapability {
  const checkedOptions = knownOptions('evidence', options, NAMES);
  const capability: WholeCapability<HostEvidenceRooms, EvidenceRooms<CallOptions>> = {
    name: 'evidence',
    needs: checkedOptions.begins === false ? [] : ['identity'],
    operations: [evidenceOperations, receiptOperations],
    open: (core) => openEvidence(core, checkedOptions),
  };
  return capability;
}

/** The door `./aip`: verifies envelopes of the Agent Intent Protocol, and reads its passports. */

export { IdentityError, type IdentityErrorCode } from '../errors.ts';
export type { Intent, PassportInput, PermitRequest, VerdictRecord } from '../records.ts';
export { AIP_LOSSES, type AipLoss, type AipPassport, passportOfAip } from './boundaries.ts';
export type { AipKeyOptions, ExportableKey } from './envelope-key.ts';
export type { AipErrorCode } from './error-codes.ts';
export { majorUnits } from './minor-units.ts';
export {
  type AipOptions,
  type AipResult,
  type AipVerifier,
  type NoteNonce,
  verifyAipEnvelope,
} from './verify-envelope.ts';

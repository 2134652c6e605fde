/** Checks all fields of a new passport, and converts them to their stored form. */

import { formatAgentId } from '../../base/values/agent-id.ts';
import { MAX_PASSPORT_BYTES, MAX_TEXT } from '../../base/values/field-limits.ts';
import { formatInstant, parseInstant } from '../../base/values/instant.ts';
import { plainCopy } from '../../base/values/plain-data.ts';
import { type FieldError, notPlain, pointer, refuseAny } from '../../errors.ts';
import type { PassportStanding } from '../../records/state.ts';
import type { Instant, PassportInput } from '../../records.ts';
import { checkCopy, type FieldCheck } from '../../schema/check.ts';
import { mustBe } from '../../schema/expected.ts';
import { passportRequestSchema } from '../../schema/validators.generated.ts';
import type { ProofTerms } from '../shared/context.ts';
import { instantErrors } from '../shared/future-instant.ts';
import type { OnceOptions } from '../shared/idempotency.ts';
import { jsonBytes } from '../shared/pages.ts';
import type { PassportFields, PassportState } from './collections.ts';
import { canonicalFields, crossErrors, type FieldOptions, fieldErrors } from './passport-fields.ts';
import { NOT_SUSPENDED } from './passport-record.ts';

/** The options of a new passport. */
export interface CreateOptions extends OnceOptions {
  /**
   * The state of an imported passport, which may be suspended or revoked from its first version. It may have expired
   * already, and its parent may be revoked. Default: a new, active passport.
   */
  readonly standing?: PassportStanding | undefined;
}

/** A checked passport. */
export interface SoundPassport {
  readonly fields: PassportFields;
  readonly standing: PassportStanding | undefined;
  /** The original request, which identifies repeated requests. */
  readonly asked: object;
}

/** Returns the checked passport, or throws `invalid_request` with every error. */
export function soundPassport(
  options: FieldOptions,
  givenPassport: unknown,
  givenStanding: unknown,
): SoundPassport {
  const fieldCheck: FieldCheck = (input) => [
    ...fieldErrors(input, options),
    ...proofErrors(input, options),
    ...crossErrors(input),
  ];
  const input = checkCopy<PassportInput>(passportRequestSchema, givenPassport, fieldCheck);
  const standing = givenStanding === undefined ? undefined : checkStanding(givenStanding);
  const fields = canonicalFields(input);
  refuseAny(sizeErrors(fields));
  return { fields, standing, asked: { ...input, ...standing } };
}

/** Returns the errors of a `proof` requirement that no proof of possession could fulfil. */
export function proofErrors(
  { proof, public_keys }: { readonly [Field in keyof PassportInput]?: unknown },
  { proofTerms }: { readonly proofTerms: ProofTerms },
): readonly FieldError[] {
  if (proof !== 'identity' && proof !== 'intent') return [];
  const hasKey = Array.isArray(public_keys) && public_keys.length > 0;
  return [
    ...(hasKey
      ? []
      : [refusal('/public_keys', 'required', 'A passport that requires proofs needs a public key.')]),
    ...(proofTerms.audiences.length > 0
      ? []
      : [
          refusal(
            '/proof',
            'not_allowed',
            'This service has no name that a proof could be made for: it needs options.proofAudiences or identity({ publicUrl }).',
          ),
        ]),
  ];
}

function refusal(path: string, code: string, message: string): FieldError {
  return { path, code, message };
}

/**
 * The size in bytes of all fields that the service adds: state, instants, version, and the reasons of a suspension and
 * a revocation.
 */
const ADDED_BYTES = 4 * 1024;

/** Returns an error if the fields make a passport of more than 64 KiB of JSON. */
export function sizeErrors(fields: PassportFields): readonly FieldError[] {
  const bytes = jsonBytes({ agent_id: formatAgentId(fields), ...fields }) + ADDED_BYTES;
  if (bytes <= MAX_PASSPORT_BYTES) return [];
  const message = `A passport has at most ${MAX_PASSPORT_BYTES} bytes of JSON: this one would have ${bytes}, with ${ADDED_BYTES} for what the service adds.`;
  return [{ path: '', code: 'too_large', message }];
}

// Checks the state of an imported passport, which may be suspended or revoked from its first version.

type Field = Exclude<keyof PassportStanding, 'status'>;

const FIELDS: Readonly<Record<PassportStanding['status'], readonly Field[]>> = {
  active: [],
  suspended: ['suspended_until', 'suspension_reason'],
  revoked: ['revoked_at', 'revocation_reason'],
};

const ACTIVE: PassportState = {
  status: 'active',
  ...NOT_SUSPENDED,
  revoked_at: null,
  revoked_by: null,
  revocation_reason: null,
};

function checkStanding(value: unknown): PassportStanding {
  const isCopied = typeof value === 'object' && value !== null;
  const standing: Readonly<Record<string, unknown>> = isCopied
    ? Object(plainCopy(value, { refuse: refusePart }))
    : {};
  refuseAny(standingErrors(standing));
  return standing as unknown as PassportStanding;
}

export function standingState(
  standing: PassportStanding | undefined,
  { author, at }: { readonly author: string; readonly at: Instant },
): PassportState {
  if (standing === undefined || standing.status === 'active') return ACTIVE;
  const { suspended_until, suspension_reason, revoked_at, revocation_reason } = standing;
  if (standing.status === 'suspended') {
    return {
      ...ACTIVE,
      status: 'suspended',
      suspended_until: canonical(suspended_until),
      suspended_by: author,
      suspension_reason: suspension_reason ?? null,
    };
  }
  return {
    ...ACTIVE,
    status: 'revoked',
    revoked_at: canonical(revoked_at) ?? at,
    revoked_by: author,
    revocation_reason: revocation_reason ?? null,
  };
}

function standingErrors(standing: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const { status } = standing;
  const allowedFields = isStatus(status) ? FIELDS[status] : undefined;
  if (allowedFields === undefined) {
    const message = 'This must be active, suspended or revoked.';
    return [{ path: '/status', code: 'not_allowed', message }];
  }
  return Object.entries(standing).flatMap(([name, value]): readonly FieldError[] => {
    const path = pointer(name);
    if (name === 'status' || value === null || value === undefined) return [];
    if (!allowedFields.some((field) => field === name)) {
      return [{ path, code: 'not_allowed', message: `A passport that is ${status} has no such field.` }];
    }
    const isReason = name.endsWith('_reason');
    const isText = typeof value === 'string' && (!isReason || (value !== '' && value.length <= MAX_TEXT));
    if (!isText) return [{ path, code: isReason ? 'malformed' : 'wrong_type', message: mustBe(path) }];
    return isReason ? [] : instantErrors(path, value);
  });
}

function isStatus(status: unknown): status is PassportStanding['status'] {
  return typeof status === 'string' && Object.hasOwn(FIELDS, status);
}

function canonical(text: Instant | null | undefined): Instant | null {
  return text === null || text === undefined ? null : formatInstant(parseInstant(text) ?? Number.NaN);
}

function refusePart(path: readonly string[]): never {
  throw notPlain(path);
}

/** Checks the state of an imported passport, which may be suspended or revoked from its first version. */

import { MAX_TEXT } from '../../base/values/field-limits.ts';
import { formatInstant, parseInstant } from '../../base/values/instant.ts';
import { plainCopy } from '../../base/values/plain-data.ts';
import { type FieldError, notPlain, pointer, refuseAny } from '../../errors.ts';
import type { PassportStanding } from '../../records/state.ts';
import type { Instant } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import { instantErrors } from '../shared/future-instant.ts';
import type { PassportState } from './collections.ts';
import { NOT_SUSPENDED } from './passport-record.ts';

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

export function checkStanding(value: unknown): PassportStanding {
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

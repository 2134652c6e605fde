/** Finds passports and keys that were not used for some days. */

import { formatInstant } from '../../base/values/instant.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { FieldError } from '../../errors.ts';
import type { Instant } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { Context } from './context.ts';

const MAX_DAYS = 365;

export function unusedErrors(days: number | undefined): readonly FieldError[] {
  if (days === undefined || (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS)) return [];
  return [{ path: '/unused_days', code: 'out_of_range', message: mustBe('/unused_days') }];
}

export function daysBefore({ clock }: Pick<Context, 'clock'>, days: number): Instant {
  return formatInstant(clock.now() - days * RESOLUTION_MS.day);
}

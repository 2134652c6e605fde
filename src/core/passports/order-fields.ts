/** Checks the rules of order of a passport input. */

import type { RuleFault } from '../../base/values/conditions/condition.ts';
import { orderFaults } from '../../base/values/order.ts';
import type { FieldError } from '../../errors.ts';
import type { PassportInput } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';

type Given = { readonly [Field in keyof PassportInput]?: unknown };

export function orderFieldErrors({ order }: Given): readonly FieldError[] {
  return Array.isArray(order) ? orderFaults(order).map(errorOf) : [];
}

/** Returns an error for each rule of order that has the same name as a pace of the passport. */
export function orderCrossErrors({ order, pace }: Given): readonly FieldError[] {
  if (!Array.isArray(order) || !Array.isArray(pace)) return [];
  const alone = new Set(orderFaults(order).map(({ path }) => path));
  return orderFaults(order, pace)
    .filter(({ path, code }) => code === 'duplicate' && !alone.has(path))
    .map(errorOf);
}

function errorOf({ path, code }: RuleFault): FieldError {
  const place = `/order${path}`;
  return { path: place, code, message: messageOf(place, code) };
}

function messageOf(path: string, code: RuleFault['code']): string {
  if (code === 'unknown_field') return 'There is no such field.';
  if (code === 'duplicate' && path.endsWith('/name')) return 'Another rule of order or pace has this name.';
  if (code === 'duplicate') return `Two entries are the same. ${mustBe(path)}`;
  return mustBe(path);
}

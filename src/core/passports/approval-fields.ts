/** Checks the rules of `approval` that a JSON Schema cannot express, and creates its canonical form. */
import { isActionEntry } from '../../base/values/action.ts';
import { APPROVAL_SECONDS } from '../../base/values/approval.ts';
import { amountText, readAmount } from '../../base/values/money.ts';
import type { FieldError } from '../../errors.ts';
import type { ApprovalRequirement, PassportInput } from '../../records.ts';
import { expectedAt, mustBe } from '../../schema/expected.ts';
import { malformedEntries } from './budget-fields.ts';
import type { StoredApprovalRequirement } from './collections.ts';

export function canonicalApproval({
  above,
  actions,
  seconds = APPROVAL_SECONDS.default,
  count,
  by,
  changes,
}: ApprovalRequirement): StoredApprovalRequirement {
  return {
    ...(above !== undefined && { above: amountText(readAmount(above) ?? '') }),
    ...(actions !== undefined && { actions }),
    seconds,
    ...(count !== undefined && { count }),
    ...(by !== undefined && { by }),
    ...(changes !== undefined && { changes }),
  };
}

type Given = { readonly [Field in keyof PassportInput]?: unknown };

export function approvalErrors({ approval }: Given, decimals: number): readonly FieldError[] {
  const { above, actions } = membersOf(approval);
  const errors: FieldError[] = [];
  const refuse = (path: string, message = mustBe(path)) => errors.push({ path, code: 'malformed', message });
  if ((typeof above === 'number' || typeof above === 'string') && readAmount(above, decimals) === null) {
    const path = '/approval/above';
    refuse(path, `This must be ${expectedAt(path)}, from 0 to 10^15 with at most ${decimals} decimals.`);
  }
  for (const place of malformedEntries(actions, isActionEntry)) refuse(`/approval/actions/${place}`);
  return errors;
}

/** Returns the errors of `approval` that depend on other fields of the passport. */
export function approvalCrossErrors({
  approval,
  currency,
  monetary_actions = [],
}: Given): readonly FieldError[] {
  if (approval === undefined) return [];
  const { above, actions, changes } = membersOf(approval);
  const errors: FieldError[] = [];
  const require = (path: string, message: string) => errors.push({ path, code: 'required', message });
  if (above === undefined && actions === undefined && changes !== true) {
    require('/approval', 'An approval needs above, actions or changes: what a person has to approve.');
  }
  if (above !== undefined && currency === undefined) {
    require('/currency', 'A passport with approval.above needs a currency.');
  }
  if (above !== undefined && Array.isArray(monetary_actions) && monetary_actions.length === 0) {
    const message =
      'A passport with approval.above needs monetary_actions: without them an intent could leave its amount out.';
    require('/monetary_actions', message);
  }
  return errors;
}

function membersOf(approval: unknown): { readonly [Field in keyof ApprovalRequirement]?: unknown } {
  return typeof approval === 'object' && approval !== null && !Array.isArray(approval) ? approval : {};
}

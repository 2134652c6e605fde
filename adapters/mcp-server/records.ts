/** Selects the parts of records that tools show. */
import type { ApiKey, Approval, Page, Passport, VerdictRecord } from '../../src/types.ts';

export type ShownPage = Page<unknown>;

export function pageWith<Item>(page: Page<Item>, show: (item: Item) => unknown): ShownPage {
  const { data, has_more, next_cursor } = page;
  return { data: data.map(show), has_more, next_cursor };
}

export function passportSummary(passport: Passport): object {
  return pick(passport, [
    ...(['agent_id', 'status', 'version', 'updated_at', 'description', 'parent_agent_id'] as const),
    ...(['monetary_limit_per_txn', 'currency', 'not_before', 'expires_at', 'managed_by'] as const),
    ...(['suspended_until', 'suspension_reason', 'owner', 'last_seen_at'] as const),
  ]);
}

export function keySummary(key: ApiKey): object {
  return pick(key, ['id', 'name', 'scopes', 'created_at', 'last_used_at']);
}

export function denialSummary(record: VerdictRecord): object {
  return pick(record, [
    ...(['decision_id', 'evaluated_at', 'action', 'target', 'amount', 'currency', 'usage'] as const),
    ...(['environment', 'dry_run', 'passport_version', 'approval_id', 'reasons'] as const),
  ]);
}

/** Returns an approval without the values of parameters and fields, and without the notes of people. */
export function approvalSummary(approval: Approval): object {
  const { intent, change, decisions, reasons } = approval;
  const fields = ['id', 'kind', 'status', 'agent_id', 'environment', 'needed', 'by'] as const;
  return {
    ...pick(approval, fields),
    ...pick(approval, ['missing_approvers', 'requested_by', 'created_at', 'expires_at', 'decided_at']),
    approvals: decisions.length,
    reasons: reasons.map(({ code }) => code),
    ...(intent !== undefined && { intent: intentSummary(intent) }),
    ...(change !== undefined && { change: changeSummary(change) }),
  };
}

function intentSummary({ action, target, usage, parameters = {} }: NonNullable<Approval['intent']>): object {
  const { amount, currency, ...otherFields } = parameters;
  return { action, target, amount, currency, usage, parameter_names: Object.keys(otherFields) };
}

function changeSummary({ version, result, difference }: NonNullable<Approval['change']>): object {
  return { version, result, fields: difference.map(({ field }) => field) };
}

function pick<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Partial<Pick<Source, Name>> {
  return Object.fromEntries(names.map((name) => [name, source[name]])) as Partial<Pick<Source, Name>>;
}

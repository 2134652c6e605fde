/** The checks of one record that a local verifier sends: what it could not have decided is refused. */

import { currencyCode } from '../../base/values/currency.ts';
import { MAX_ACTION, MAX_APPROVAL_ID, MAX_ID } from '../../base/values/field-limits.ts';
import { MAX_HOLD_SECONDS } from '../../base/values/hold-time.ts';
import { readAmount } from '../../base/values/money.ts';
import { isVerifierName } from '../../base/values/sent-verdicts.ts';
import { isSubject } from '../../base/values/subject.ts';
import { isTraceId } from '../../base/values/trace-id.ts';
import type { VerdictRecord } from '../../records.ts';
import { AGENT_NOT_FOUND } from '../../verdict/rules.ts';
import type { KeyCaller } from '../shared/callers.ts';
import { reasonsProblem } from './reason-problems.ts';

/** Returns why the record is refused; `undefined` if a verifier with this key may have made it. */
export function recordProblem(
  record: VerdictRecord,
  { key_id, environment }: Pick<KeyCaller, 'key_id' | 'environment'>,
): string | undefined {
  if (record.key_id !== key_id) return 'names another key';
  if (record.environment !== environment) return 'names another environment';
  if (record.verifier === null || !isVerifierName(record.verifier)) return 'names no verifier';
  return (
    takesProblem(record) ?? reasonsProblem(record.reasons) ?? versionProblem(record) ?? fieldProblem(record)
  );
}

function takesProblem(record: VerdictRecord): string | undefined {
  if (record.budgets.length > 0) return 'takes from a budget';
  if (record.proof_kid !== null) return 'has a proof';
  const isNamed = record.approval_id !== null || record.hold_seconds !== null;
  return isNamed && record.verdict === 'ALLOW' ? 'takes an approval or a hold' : undefined;
}

function versionProblem({ reasons, passport_version, ancestor_versions }: VerdictRecord): string | undefined {
  const isNotFound = reasons.some(({ code }) => code === AGENT_NOT_FOUND.code);
  if (isNotFound !== (passport_version === null) || (isNotFound && reasons.length > 1))
    return 'has a version of a passport that was not found, or none';
  if (passport_version === 0) return 'has no such version of a passport';
  const isAlone = passport_version === null && ancestor_versions !== null;
  return isAlone ? 'has versions of passports above one that was not found' : undefined;
}

function fieldProblem(record: VerdictRecord): string | undefined {
  const { target, amount, currency, subject, trace_id, approval_id, hold_seconds } = record;
  const isRight =
    isText(record.agent_id, MAX_ID) &&
    isText(record.action, MAX_ACTION) &&
    (target === null || target.length <= MAX_ID) &&
    (amount === null || readAmount(amount) !== null) &&
    (currency === null || currencyCode(currency) === currency) &&
    record.request_id === null &&
    (trace_id === null || isTraceId(trace_id)) &&
    record.subject_erased === undefined &&
    record.permit_audience === null &&
    (subject === null || isSubject(subject)) &&
    (approval_id === null || isText(approval_id, MAX_APPROVAL_ID)) &&
    (hold_seconds === null || hold_seconds <= MAX_HOLD_SECONDS);
  return isRight ? undefined : 'has a field that no intent has';
}

function isText(text: string, most: number): boolean {
  return text.length > 0 && text.length <= most;
}

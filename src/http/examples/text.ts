/** Examples of the bodies that are not JSON. */
import type { Passport, VerdictRecord } from '../../records.ts';
import { responseExamples } from './examples.ts';

const allowedRecord = responseExamples.VerdictRecord as VerdictRecord;
const passport = responseExamples.Passport as Passport;
const LATER = allowedRecord.evaluated_at;

const { decision_id, agent_id, action, target, amount, currency, passport_version, key_id } = allowedRecord;
const { request_id, trace_id } = allowedRecord;

export const csvExample: string = [
  'decision_id,evaluated_at,verdict,reasons,agent_id,action,target,amount,currency,passport_version,environment,key_id,dry_run,request_id,proof_kid,ancestor_versions,trace_id,subject,approval_id,hold_seconds,outcome,outcome_code,outcome_reported_at,verifier,permit_audience,usage',
  `${decision_id},${LATER},ALLOW,,${agent_id},${action},${target},${amount},${currency},${passport_version},live,${key_id},false,${request_id},,,${trace_id},,,,,,,,,`,
  '',
].join('\r\n');

export const eventsExample: string = [
  'retry: 2000',
  'id: evt_0VZ4Hy3Wg',
  '',
  'id: evt_0VZ4Hy3WcZr7cQ2mT9pLx4BvK',
  'event: passport.revoked',
  `data: ${JSON.stringify({
    id: 'evt_0VZ4Hy3WcZr7cQ2mT9pLx4BvK',
    type: 'passport.revoked',
    timestamp: LATER,
    data: {
      ...passport,
      status: 'revoked',
      version: 2,
      revoked_at: LATER,
      changed_by: 'mem_5Q2bGmYwX0aNcTqLr8sVdK',
    },
  })}`,
  '',
  ': still here',
  '',
  '',
].join('\n');

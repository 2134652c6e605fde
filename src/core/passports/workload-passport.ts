/** Creates the child agents of workloads, each in the same write as its first access token. */
import { toBase64Url } from '../../base/bytes/base64url.ts';
import { hostOf } from '../../base/values/agent-id.ts';
import { WORKLOAD_AGENTS } from '../../base/values/trusted-issuer.ts';
import { hashing } from '../../platform/index.ts';
import type { Change } from '../../ports/storage.ts';
import type { Plan, Reason, TrustedIssuer } from '../../records.ts';
import { type Context, now } from '../shared/context.ts';
import type { MadePart } from '../spending/spending.ts';
import { type KnownPassport, toKnownPassport } from '../storage/caches.ts';
import type { PassportFields, PassportRecord } from './collections.ts';
import { countStep, newPassport, passportSteps } from './issue-passport.ts';
import { standingState } from './sound-passport.ts';

export interface Workload {
  readonly parent: KnownPassport;
  readonly entry: TrustedIssuer;
  readonly subject: string;
  readonly plan: Plan | undefined;
}

export type MakingRefusals = Readonly<Record<'claimed' | 'limit', readonly Reason[]>>;

export function workloadName(issuer: string, subject: string): string {
  return `w-${hashing.sha256Hex(`${issuer}\n${subject}`).slice(0, 40)}`;
}

export function workloadCounter(parent: string, issuer: string): string {
  return `workloads:${toBase64Url(hashing.sha256(`${parent}\n${issuer}`))}`;
}

export function planWorkload(
  context: Pick<Context, 'clock' | 'nextEventName' | 'plans' | 'claimsDomains' | 'auditDays'>,
  { parent, entry, subject, plan }: Workload,
  refusals: MakingRefusals,
): { readonly found: KnownPassport; readonly made: MadePart } {
  const { account_id, agent_id } = parent;
  const recordAbove = parent.prepared.passport as unknown as PassportRecord;
  const created_at = now(context);
  const fields: PassportFields = {
    domain: recordAbove.domain,
    agent_name: workloadName(entry.issuer, subject),
    parent_agent_id: agent_id,
    allowed_actions: ['*'],
    monetary_limit_per_txn: recordAbove.monetary_limit_per_txn,
    ...(recordAbove.currency !== undefined && { currency: recordAbove.currency }),
    metadata: { workload_issuer: entry.issuer, workload_subject: subject },
  };
  const state = standingState(undefined, { author: account_id, at: created_at });
  const record = newPassport(fields, { account_id, created_at, state, widened_by: null });
  const { max_agents: max = WORKLOAD_AGENTS.default, issuer } = entry;
  const counter = workloadCounter(agent_id, issuer);
  const changes: readonly Change[] = [
    ...claimOf(context, record),
    ...passportSteps(context, record, account_id),
    countStep(context, { by: 1, account_id, actor: plan === undefined ? {} : { plan } }).count,
    { op: 'add', counter, by: 1, max, at: created_at },
  ];
  const part: MadePart = {
    changes,
    refusal({ failed }) {
      if (failed.some(({ failure }) => failure === 'exists')) return undefined;
      return failed.some(({ failure }) => failure === 'claimed') ? refusals.claimed : refusals.limit;
    },
  };
  return { found: toKnownPassport(record), made: part };
}

/** Returns the step that makes the write fail if the domain no longer belongs to the account. */
function claimOf(
  { claimsDomains }: Pick<Context, 'claimsDomains'>,
  { domain, account_id, created_at }: PassportRecord,
): readonly Change[] {
  if (!claimsDomains) return [];
  const claim = {
    id: hostOf(domain),
    account_id,
    version: 1,
    created_at,
    changed_at: null,
    changed_by: null,
  };
  return [{ op: 'claim', collection: 'domains', record: claim }];
}

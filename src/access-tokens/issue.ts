/**
 * Plans an access token: whether it may be signed, its expiry and its scope. Nothing is signed or taken from budgets
 * yet.
 */

import { createDeadlines } from '../base/async/deadlines.ts';
import {
  ACCESS_TOKEN_TYPE,
  issuerOf,
  MAX_ACCESS_TOKEN_LENGTH,
  resourceTarget,
  TEST_RESOURCE,
} from '../base/values/access-token.ts';
import { parseInstant } from '../base/values/instant.ts';
import { concernsApproval } from '../core/approvals/approval-plan.ts';
import type { Core } from '../core/capabilities/capability.ts';
import type { MaySign } from '../core/domains/signing-right.ts';
import type { MadePart, Taking } from '../core/spending/spending.ts';
import type { FoundAgent } from '../core/verification/ancestries.ts';
import { ownerOf } from '../core/verification/evaluate.ts';
import type { CheckedProof } from '../core/verification/proof-check.ts';
import {
  earliestEnd,
  type PlanPermit,
  signWithin,
  type Taken,
  takePermitted,
} from '../core/verification/takings.ts';
import type { VerifyCaller } from '../core/verification/verify-caller.ts';
import type { TokenSigner } from '../identity/token-signer.ts';
import type { AccessTokenObstacle } from '../records/access-token.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';
import { approvalRequired } from '../verdict/approval.ts';
import { decide, type PreparedPassport, type ProofFact, type Rule } from '../verdict/index.ts';
import { readsParametersOn, takingsIn } from '../verdict/takings.ts';

export interface TokenUser {
  readonly subject: string;
  readonly issuer: string;
}

export interface ToToken {
  readonly resource: string;
  readonly actions: readonly string[] | undefined;
  readonly user: TokenUser | undefined;
  readonly jkt: string | undefined;
  readonly caller: VerifyCaller;
}

export interface TokenPlan {
  readonly plan: PlanPermit;
  /** Returns the granted actions and the validity of the token in seconds. Call it after `plan`. */
  readonly granted: () => { readonly actions: readonly string[] | undefined; readonly seconds: number };
}

export type PlanToken = (request: ToToken) => TokenPlan;

const LEAST_MS = 1_000;

export interface PlanParts {
  readonly tokens: TokenSigner;
  readonly maySign: MaySign;
  readonly allowedActions: AllowedActions;
  readonly publicUrl: string;
  /** The longest validity of a token. */
  readonly seconds: number;
}

export function createTokenPlans(
  core: Pick<Core, 'clockWatch' | 'deadlineMs'>,
  { tokens, publicUrl, seconds, maySign, allowedActions }: PlanParts,
): PlanToken {
  const { clockWatch, deadlineMs } = core;
  const deadlines = createDeadlines(deadlineMs, () => new Error('The signer is too late.'));

  return ({ resource, actions, user, jkt, caller }) => {
    let grant: ReturnType<TokenPlan['granted']> = { actions: undefined, seconds };

    const plan: PlanPermit = async ({ record, found, ancestry }) => {
      if (!(await maySign(found))) return tokenUnavailable('domain');
      const instant = parseInstant(record.evaluated_at) as number;
      const end = earliestEnd([found.prepared, ...(ancestry?.prepared ?? [])]);
      if (end - instant < LEAST_MS) return tokenUnavailable('time');
      const scope =
        actions &&
        allowedActions(
          { found, ancestry },
          { actions, resource, subject: user?.subject, caller, at: instant },
        );
      if (scope?.length === 0) return tokenUnavailable('scope');
      // Rejects where the clock of this node is off: its instants would be wrong.
      await clockWatch.storeNow();
      const iat = Math.floor(instant / 1_000);
      const exp = Math.floor(Math.min(iat + seconds, end / 1_000));
      grant = { actions: scope, seconds: exp - iat };
      const iss = issuerOf(publicUrl, found.prepared.passport.domain);
      return {
        terms: { exp },
        audience: resource,
        sign(first) {
          const claims = claimsOf(first, { iss, resource, iat, exp, scope, user, jkt });
          const limits = { deadlines, maxLength: MAX_ACCESS_TOKEN_LENGTH };
          return signWithin(() => tokens.sign(ACCESS_TOKEN_TYPE, claims), limits);
        },
      };
    };
    return { plan, granted: () => grant };
  };
}

interface Claims {
  readonly iss: string;
  readonly resource: string;
  readonly iat: number;
  readonly exp: number;
  readonly scope: readonly string[] | undefined;
  readonly user: TokenUser | undefined;
  readonly jkt: string | undefined;
}

function claimsOf(
  { agent_id, environment, decision_id }: VerdictRecord,
  { iss, resource, iat, exp, scope, user, jkt }: Claims,
): object {
  return {
    iss,
    aud: environment === 'test' ? `${TEST_RESOURCE}${resource}` : resource,
    sub: user?.subject ?? agent_id,
    client_id: agent_id,
    ...(user !== undefined && { act: { sub: agent_id }, subject_issuer: user.issuer }),
    iat,
    exp,
    jti: decision_id,
    ...(scope !== undefined && { scope: scope.join(' ') }),
    ...(jkt !== undefined && { cnf: { jkt } }),
  };
}

export function tokenUnavailable(problem: AccessTokenObstacle): Reason {
  return { code: 'token_unavailable', message: TOKEN_UNAVAILABLE, problem };
}

export const TOKEN_UNAVAILABLE = 'The access token cannot be issued.';

// Finds the actions that a token may have in its scope.

interface AskedActions {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly subject?: string | undefined;
  readonly caller: VerifyCaller;
  /** The instant of the evaluation, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * Returns the actions that the agent may take at this target unconditionally. It leaves out an action if a
 * passport limits its parameters or its number, or requires an approval for it.
 */
export type AllowedActions = (agent: FoundAgent, actions: AskedActions) => readonly string[];

export function createAllowedActions(rules: readonly Rule[]): AllowedActions {
  return ({ found, ancestry }, { actions, resource, subject, caller, at }) => {
    if (found === undefined) return [];
    const ancestors = ancestry?.prepared;
    const chain: readonly PreparedPassport[] = [found.prepared, ...(ancestors ?? [])];

    return actions.filter((action) => {
      if (chain.some((passport) => readsParametersOn(passport, action))) return false;
      const intent: Intent = {
        agent_id: found.agent_id,
        action,
        target: resourceTarget(resource),
        ...(subject !== undefined && { subject }),
      };
      if (takingsIn(chain, intent).length > 0) return false;
      // It takes from no budget, so that what was spent has no influence.
      const question = {
        passport: found.prepared,
        intent,
        at,
        caller,
        budgets: {},
        ...(ancestors && { ancestors }),
      };
      return decide(question, rules).verdict === 'ALLOW';
    });
  };
}

// Gives verdicts with tokens. The intent is evaluated, the token is signed, and then the amounts are spent.

/** A request that gets a token with an `ALLOW`. */
interface ToIssue {
  readonly intent: Intent;
  readonly agent: FoundAgent;
  readonly caller: VerifyCaller;
  /** The credential of the agent. The write of the `ALLOW` marks it as used. */
  readonly proof: CheckedProof | undefined;
  /** Further steps of this write, such as marking an assertion as used. */
  readonly takings?: readonly Taking[];
  /** The passport of the agent, if the write creates it. */
  readonly made?: MadePart | undefined;
  readonly plan: PlanPermit;
}

/** Gives verdicts with tokens. */
export interface Issue {
  /** Finds an agent and its ancestors. Uses cached passports if they are fresh enough. */
  find(agent_id: string): Promise<FoundAgent>;
  /** Evaluates the request as `verdict` does, but does not spend, sign or record. */
  evaluate(
    issue: Pick<ToIssue, 'intent' | 'agent' | 'caller'> & { readonly fact?: ProofFact },
  ): VerdictRecord;
  /** Evaluates, signs and spends. The field `permit` of the result is the token, or `null` for a `DENY`. */
  verdict(issue: ToIssue): Promise<Taken>;
}

const NEEDS_PERSON: readonly Reason[] = [approvalRequired({ approval_id: null, expires_at: null })];

/** Creates the part of one service that gives verdicts with tokens. */
export function createIssue({
  clock,
  caches: { monotonic },
  demanded,
}: Pick<Core, 'clock' | 'caches' | 'demanded'>): Issue {
  const find = (agent_id: string): Promise<FoundAgent> =>
    demanded('issuing').ancestries.find(agent_id, monotonic());

  return {
    find,

    evaluate: ({ intent, agent, caller, fact }) =>
      withoutPerson(
        demanded('issuing').evaluate(intent, agent.found, caller, agent.ancestry, clock.now(), fact),
        intent,
        agent,
      ),

    async verdict({ intent, agent: { found: passport, ancestry }, caller, proof, takings = [], made, plan }) {
      const { evaluate, filed, hooks, take } = demanded('issuing');
      const startedAt = monotonic();
      try {
        const evaluatedRecord = evaluate(intent, passport, caller, ancestry, clock.now(), proof?.fact);
        const record = withoutPerson(evaluatedRecord, intent, { found: passport, ancestry });
        const allTakings = [...(proof?.takings ?? []), ...takings];
        const toTake = {
          record,
          intent,
          found: passport,
          ancestry,
          keyed: undefined,
          takings: allTakings,
          made,
        };
        const result = await takePermitted({ planPermit: plan, take, now: clock.now }, toTake);
        if (result.isOvertaken) return result;
        const { record: last, isReplay } = result;
        await filed.all([{ record: last, isReplay, owner: ownerOf(last, passport, caller) }], startedAt);
        return result;
      } catch (error) {
        hooks.fail(error);
        throw error;
      }
    },
  };
}

/**
 * Changes the verdict to `DENY` if a person must approve the intent, because a request for a token cannot wait for a
 * person.
 */
function withoutPerson(
  record: VerdictRecord,
  intent: Intent,
  { found: passport, ancestry }: FoundAgent,
): VerdictRecord {
  if (record.verdict === 'DENY' || passport === undefined) return record;
  const passports = [passport.prepared, ...(ancestry?.prepared ?? [])];
  return concernsApproval(intent, passports)
    ? Object.assign({}, record, { verdict: 'DENY', reasons: NEEDS_PERSON } as const)
    : record;
}

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
import type { Core } from '../core/capabilities/capability.ts';
import type { MaySign } from '../core/domains/signing-right.ts';
import type { FoundAgent } from '../core/verification/ancestries.ts';
import { earliestEnd, type PlanPermit, signWithin } from '../core/verification/takings.ts';
import type { VerifyCaller } from '../core/verification/verify-caller.ts';
import type { TokenSigner } from '../identity/token-signer.ts';
import type { AccessTokenObstacle } from '../records/access-token.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';
import { decide, type PreparedPassport, type Rule } from '../verdict/index.ts';
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

/** Finds the actions that a token may have in its scope. */

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

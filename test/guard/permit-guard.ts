/** A guard whose tool needs a permit, and a resource that demands it. */
import {
  createToolGuard,
  type ToolGuard,
  type ToolGuardOptions,
  type ToolRule,
  type ToolVerdict,
} from '../../src/guard/index.ts';
import { createPermitVerifier, type PermitVerifier, rememberOnce } from '../../src/tokens/proof/index.ts';
import { AUDIENCE, ISSUER, openPermits, PAYMENT, type PermitStage } from '../identity/permits/stage.ts';

/** The member of `_meta` that carries the token. */
export const PERMIT = 'agent-identity/permit';
export const ARGS: { readonly cents: number; readonly currency: string; readonly to: string } = {
  cents: 1_990,
  currency: 'EUR',
  to: PAYMENT.target,
};
export const RULE: ToolRule & { readonly permit: string } = {
  ...{ action: PAYMENT.action, target: '/to', amount: '/cents', decimals: 'currency', currency: '/currency' },
  permit: AUDIENCE,
};

/** The stage of permits with a guard; `verifyPermit` remembers what was used. */
export interface GuardStage extends PermitStage {
  readonly guard: ToolGuard;
  /** What the hook of the guard got. */
  readonly verdicts: readonly ToolVerdict[];
  readonly verifyPermit: PermitVerifier;
}

/** Opens a guard over a service that issues permits. */
export async function openGuard(options: Partial<ToolGuardOptions> = {}): Promise<GuardStage> {
  const opened = await openPermits();
  const { service, agent_id, clock } = opened;
  const verdicts: ToolVerdict[] = [];
  const guard = createToolGuard({
    ...{ verifier: service, agentId: agent_id, tools: { pay: RULE } },
    onVerdict: (_call, verdict) => void verdicts.push(verdict),
    ...options,
  });
  const verifyPermit = createPermitVerifier({
    ...{ issuers: [ISSUER], audience: AUDIENCE, once: rememberOnce(), at: clock.now },
    keys: await service.signing.jwks(),
  });
  return { ...opened, guard, verdicts, verifyPermit };
}

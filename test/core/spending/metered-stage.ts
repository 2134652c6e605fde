/** An agent with budgets of tokens, credits and money on two nodes that share a storage. */
import { onTestFinished } from 'vitest';
import { createIdentityService, type IdentityService } from '../../../src/core.ts';
import type { Budget, Intent } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { openShared, type SharedStore } from '../../support/stores.ts';

export const ACTIONS: readonly string[] = ['model.*'];
export const TOKENS: Budget = {
  name: 'tokens',
  window: 'lifetime',
  limit: 1_000,
  unit: 'tokens',
  actions: ACTIONS,
};
export const CREDITS: Budget = { ...TOKENS, name: 'credits', limit: '2.5', unit: 'credits' };
export const MONEY: Budget = { name: 'money', window: 'lifetime', limit: 50, actions: ACTIONS };
export const FREE: Budget = { ...MONEY, overrun: true };

/** Two nodes on a storage. A test that moves the clock gives it. */
export async function openNodes(
  store: SharedStore,
  clock?: { at: number },
): Promise<readonly IdentityService[]> {
  const services = (await openShared(store, 2)).map((storage) => {
    const timed = clock && {
      storage: { ...storage, time: async (at: string) => ({ at, isMark: false }) },
      clock: { now: () => clock.at, monotonic: () => performance.now() },
      after: () => () => {},
    };
    return createIdentityService({ storage, storageDeadlineMs: PATIENT_MS, log: () => {}, ...timed });
  });
  onTestFinished(async () => {
    for (const service of services) await service.close();
  });
  return services;
}

/** What a node says about an agent, and what it asks. */
export interface MeteredStage {
  readonly one: IdentityService;
  readonly other: IdentityService;
  readonly agent_id: string;
  /** Asks the other node, by default for a hold of 10 minutes. */
  hold(usage: unknown, amount?: number, more?: object): Promise<string>;
  ask(usage: unknown, amount?: number, more?: object): ReturnType<IdentityService['verify']>;
  /** Returns spent, held and remaining of each budget, by the first node. */
  left(): Promise<unknown>;
}

let agents = 0;

export async function meteredStage(
  nodes: readonly IdentityService[],
  budgets: readonly Budget[],
): Promise<MeteredStage> {
  const [one, other] = nodes as [IdentityService, IdentityService];
  const { agent_id } = await one.passports.create({
    domain: 'ops.example',
    agent_name: `writer-${agents++}`,
    allowed_actions: ['*'],
    monetary_limit_per_txn: 1_000,
    currency: 'EUR',
    budgets,
  });
  const ask: MeteredStage['ask'] = (usage, amount = 10, more = {}) => {
    const parameters = { amount, currency: 'EUR' };
    return other.verify({ agent_id, action: 'model.call', parameters, usage, ...more } as Intent);
  };
  return {
    one,
    other,
    agent_id,
    ask,
    async hold(usage, amount, more = {}) {
      const { verdict, reasons, decision_id } = await ask(usage, amount, { hold_seconds: 600, ...more });
      if (verdict === 'DENY') throw new Error(reasons.map(({ code }) => code).join());
      return decision_id;
    },
    async left() {
      const { data } = await one.passports.budgets(agent_id);
      return data.map(({ spent, held, remaining }) => [spent, held, remaining]);
    },
  };
}

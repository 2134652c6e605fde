import { createToolGuard, type ToolGuard } from '../../src/guard/index.ts';
import type { IdentityService } from '../../src/types.ts';
import { openLocalService } from '../support/service.ts';

/** The agent of the shop, and what its tool `pay` means. */
export const AGENT = 'did:web:example.com:agents:shopper';
export const PAY = {
  action: 'payments.create',
  amount: '/cents',
  decimals: 2,
  currency: 'EUR',
  target: '/payee',
};

/** A service with a passport of the agent: up to 100 EUR. */
export async function openShop(): Promise<IdentityService> {
  const { service } = openLocalService();
  await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', currency: 'EUR', monetary_limit_per_txn: 100 },
    allowed_actions: ['payments.create', 'shop:*'],
  });
  return service;
}

/** A guard of the shop, with its service. */
export async function openGuard(
  options: Partial<Parameters<typeof createToolGuard>[0]> = {},
): Promise<{ readonly service: IdentityService; readonly guard: ToolGuard }> {
  const service = await openShop();
  const guard = createToolGuard({ verifier: service, agentId: AGENT, tools: { pay: PAY }, ...options });
  return { service, guard };
}

/** Agents of one chain, and a second child, spend over several services at the same time: each budget against a ledger. */
import { expect, test } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import type { Passport } from '../../../src/records.ts';
import { nightly } from '../../support/runs.ts';
import { namedStores } from '../../support/stores.ts';
import { centsOf, inParallel, orConflict, SERVICES, servicesOn } from './crowd.ts';

/** The full size is run by night. */
const INTENTS = nightly(25_000, 400);

/** The use of each agent and its child agents, in cents and intents. */
type Ledger = ReadonlyMap<string, { cents: bigint; intents: number }>;

/** A root, its child, and two child agents of that: each with the agents whose budgets it spends from. */
async function issueChain({ passports }: IdentityService): Promise<readonly (readonly string[])[]> {
  const issue = (agent_name: string, budgets: Passport['budgets'], parent?: string) =>
    passports.create({
      domain: 'shop.example',
      agent_name,
      allowed_actions: ['*'],
      monetary_actions: ['pay'],
      monetary_limit_per_txn: 1_000,
      currency: 'EUR',
      ...(budgets && { budgets }),
      ...(parent !== undefined && { parent_agent_id: parent }),
    });
  const money = (limit: string) => ({ name: 'money', window: 'lifetime', limit }) as const;
  const often = (count: number) => ({ name: 'often', window: 'lifetime', count }) as const;
  const { agent_id: root } = await issue('root', [money('24'), often(230)]);
  const { agent_id: middle } = await issue('middle', [money('18'), often(1_000_000)], root);
  const { agent_id: first } = await issue('first', [money('7'), often(60)], middle);
  const { agent_id: second } = await issue('second', [money('14')], middle);
  return [[root], [middle, root], [first, middle, root], [second, middle, root]];
}

async function spend(
  services: readonly IdentityService[],
  chain: readonly string[],
  index: number,
  ledger: Ledger,
): Promise<void> {
  const at = (place: number): IdentityService => services[place % SERVICES] as IdentityService;
  const [agent_id = ''] = chain;
  const cents = BigInt(1 + ((index * 7) % 23));
  const parameters = { amount: `0.${`${cents}`.padStart(2, '0')}`, currency: 'EUR' };
  const intent = { agent_id, action: 'pay', parameters, ...(index % 5 === 0 && { hold_seconds: 600 }) };
  const ask = (place: number) => at(place).verify(intent, { idempotencyKey: `key-${index}` });
  const answers =
    index % 3 === 0 ? await Promise.all([ask(index), ask(index + 1)].map(orConflict)) : [await ask(index)];
  const record = answers.find((answer) => answer?.verdict === 'ALLOW');
  if (record === undefined) return;
  expect(record.ancestor_versions).toEqual(chain.length === 1 ? null : chain.slice(1).map(() => 1));
  expect(await ask(index + 2)).toEqual(record);
  const isReturned = index % 10 === 1;
  if (isReturned) await at(index + 3).spends.release(record.decision_id);
  for (const one of isReturned ? [] : chain) {
    const used = ledger.get(one);
    if (used === undefined) throw new Error(`There is no ledger of ${one}.`);
    used.cents += cents;
    used.intents += 1;
  }
}

test.each(await namedStores())(
  'a chain of three on %s spends what the ledger says, and never more than any of its budgets holds',
  async (_, place) => {
    const services = await servicesOn(place);
    const [service] = services as [IdentityService];
    const chains = await issueChain(service);
    const ledger: Ledger = new Map(chains.map(([id = '']) => [id, { cents: 0n, intents: 0 }]));
    await inParallel(INTENTS, (index) =>
      spend(services, chains[(index * 11 + 3) % 4] as readonly string[], index, ledger),
    );
    let full = 0;
    for (const [agent_id, used] of ledger) {
      const { data } = await service.passports.budgets(agent_id);
      for (const { limit, count, spent, held } of data) {
        const sum = limit === null ? BigInt(Number(spent) + Number(held)) : centsOf(spent) + centsOf(held);
        const most = limit === null ? BigInt(count ?? 0) : centsOf(limit);
        expect(sum).toBe(limit === null ? BigInt(used.intents) : used.cents);
        expect(sum).toBeLessThanOrEqual(most);
        if (most - sum < 23n) full += 1;
      }
    }
    // Enough was asked that several budgets were used up, of child agents as of their ancestors.
    expect(full).toBeGreaterThanOrEqual(2);
  },
  600_000,
);

/** Several services on one store spend from one passport at the same time; the counters against a ledger in BigInt. */
import { expect, test } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { nightly } from '../../support/runs.ts';
import { namedStores } from '../../support/stores.ts';
import { centsOf, inParallel, orConflict, SERVICES, servicesOn } from './crowd.ts';

/** The full size is run by night. */
const INTENTS = nightly(25_000, 400);
const LIMIT_CENTS = 3_000n;
const COUNT = 250;

/** What was allowed, less what went back. */
interface Ledger {
  cents: bigint;
  intents: number;
}

/** One intent with its key, asked again by another service now and then; some are held, some given back. */
async function spend(services: readonly IdentityService[], agent_id: string, index: number, ledger: Ledger) {
  const at = (place: number): IdentityService => services[place % SERVICES] as IdentityService;
  const cents = BigInt(1 + ((index * 7) % 23));
  const parameters = { amount: `0.${`${cents}`.padStart(2, '0')}`, currency: 'EUR' };
  const intent = { agent_id, action: 'pay', parameters, ...(index % 5 === 0 && { hold_seconds: 600 }) };
  const ask = (place: number): Promise<VerdictRecord> =>
    at(place).verify(intent, { idempotencyKey: `key-${index}` });
  const answers =
    index % 3 === 0 ? await Promise.all([ask(index), ask(index + 1)].map(orConflict)) : [await ask(index)];
  const record = answers.find((answer) => answer?.verdict === 'ALLOW');
  if (record === undefined) return;
  expect(await ask(index + 2)).toEqual(record);
  ledger.cents += cents;
  ledger.intents += 1;
  if (index % 10 !== 1) return;
  await at(index + 3).spends.release(record.decision_id);
  ledger.cents -= cents;
  ledger.intents -= 1;
}

/** Intents of the highest price, one after another, until a budget denies one. */
async function spendTheRest(services: readonly IdentityService[], agent_id: string, ledger: Ledger) {
  const parameters = { amount: '0.23', currency: 'EUR' };
  for (let index = 0; ; index++) {
    const service = services[index % SERVICES] as IdentityService;
    const record = await service.verify({ agent_id, action: 'pay', parameters });
    if (record.verdict === 'DENY') {
      expect(record.reasons.map((reason) => reason.code)).toContain('budget_exceeded');
      return;
    }
    ledger.cents += 23n;
    ledger.intents += 1;
  }
}

test.each(await namedStores())(
  'four services on %s spend what the ledger says, and never more than the budgets hold',
  async (_, place) => {
    const services = await servicesOn(place);
    const [first] = services as [IdentityService];
    const { agent_id } = await first.passports.create({
      domain: 'shop.example',
      agent_name: 'shopper',
      allowed_actions: ['*'],
      monetary_actions: ['pay'],
      monetary_limit_per_txn: 1_000,
      currency: 'EUR',
      budgets: [
        { window: 'lifetime', limit: '30' },
        { name: 'often', window: 'lifetime', count: COUNT },
      ],
    });
    const ledger: Ledger = { cents: 0n, intents: 0 };
    await inParallel(INTENTS, (index) => spend(services, agent_id, index, ledger));
    // The last releases may come after the last intents: what they gave back is spent before the budgets are read.
    await spendTheRest(services, agent_id, ledger);
    const [money, often] = (await first.passports.budgets(agent_id)).data;
    const used = centsOf(money?.spent ?? null) + centsOf(money?.held ?? null);
    expect(used).toBe(ledger.cents);
    expect(used).toBeLessThanOrEqual(LIMIT_CENTS);
    expect(Number(often?.spent) + Number(often?.held)).toBe(ledger.intents);
    expect(ledger.intents).toBeLessThanOrEqual(COUNT);
    expect(LIMIT_CENTS - used < 23n || ledger.intents === COUNT).toBe(true);
  },
  600_000,
);

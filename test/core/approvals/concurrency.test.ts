/** Several services on one store use one approval at the same time: one of them gets its ALLOW. */
import { expect, test } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { nightly } from '../../support/runs.ts';
import { namedStores } from '../../support/stores.ts';
import { inParallel, SERVICES, servicesOn } from '../spending/crowd.ts';
import { codesOf, idIn, SHOPPER } from './stage.ts';

const USES = 1_000;
const ROUNDS = nightly(10, 2);

test.each(await namedStores())(
  'one of a thousand uses of one approval on %s is allowed, and spends once',
  async (_, place) => {
    const services = await servicesOn(place);
    const [first] = services as [IdentityService];
    const budgets = [{ window: 'lifetime', limit: 5_000 }] as const;
    const { agent_id } = await first.passports.create({ ...SHOPPER, budgets });
    for (let round = 1; round <= ROUNDS; round += 1) {
      const intent = {
        ...{ agent_id, action: 'payments.create' },
        parameters: { amount: 250, currency: 'EUR', order: 'the same' },
      };
      const ask = (place: number, approval_id?: string): Promise<VerdictRecord> =>
        (services[place % SERVICES] as IdentityService).verify({
          ...intent,
          ...(approval_id !== undefined && { approval_id }),
        });
      const asked = await Promise.all(Array.from({ length: 40 }, (_, place) => ask(place)));
      const ids = new Set(asked.map(({ reasons }) => idIn(reasons)));
      expect(ids.size).toBe(1);
      const [id = ''] = ids;
      await first.approvals.approve(id);
      const given = new Map<string, number>();
      await inParallel(USES, async (place) => {
        const record = await ask(place, id);
        const outcome = record.verdict === 'ALLOW' ? 'ALLOW' : codesOf(record).join();
        given.set(outcome, (given.get(outcome) ?? 0) + 1);
      });
      expect(Object.fromEntries(given)).toEqual({ ALLOW: 1, approval_used: USES - 1 });
      const [budget] = (await first.passports.budgets(agent_id)).data;
      expect(budget?.spent).toBe(250 * round);
    }
    expect((await first.approvals.list({ status: 'used' })).data).toHaveLength(ROUNDS);
    expect((await first.approvals.list()).data).toHaveLength(ROUNDS);
  },
  600_000,
);

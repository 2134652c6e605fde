/** The outcomes that the tools of each framework report: one for each run. */
import type { IdentityService } from 'agent-identity-service';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { guardOf, openShop } from './matrix.mjs';
import { WAYS } from './ways.ts';

async function outcomesOf(service: IdentityService): Promise<readonly unknown[]> {
  const { data } = await service.verifications.list({ limit: 100 });
  return data.map(({ verdict, outcome }) => [verdict, outcome?.outcome ?? null]);
}

describe.each(WAYS)('%s', (_, call, hides) => {
  test('a run that ends well is reported as succeeded, one that fails as failed, and a DENY not at all', async () => {
    const service = await openShop();
    const reported = vi.spyOn(service.outcomes, 'report');
    const guard = guardOf(service);
    await call({ guard, args: { cents: 1 } });
    await eventually(async () => expect(await outcomesOf(service)).toEqual([['ALLOW', 'succeeded']]));
    await call({ guard, args: { cents: 10_001 } });
    await call({ guard, args: { cents: 1 }, isFailing: true });
    const ended = hides ? 'succeeded' : 'failed';
    const all = [
      ['ALLOW', ended],
      ['DENY', null],
      ['ALLOW', 'succeeded'],
    ];
    await eventually(async () => expect(await outcomesOf(service)).toEqual(all));
    expect(reported).toHaveBeenCalledTimes(2);
  });

  test('with outcomes: false nothing is reported', async () => {
    const service = await openShop();
    const reported = vi.spyOn(service.outcomes, 'report');
    await call({ guard: guardOf(service, { outcomes: false }), args: { cents: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(reported).not.toHaveBeenCalled();
    expect(await outcomesOf(service)).toEqual([['ALLOW', null]]);
  });
});

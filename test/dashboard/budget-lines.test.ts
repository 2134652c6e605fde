import { expect, test } from 'vitest';
import { budgetsIn, linesOfBudgets } from '../../adapters/dashboard/app/text/budget-lines.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createIdentityService } from '../../src/index.ts';

const LINES = [
  'day 100',
  'hour 5 times',
  'refunds: month 500.50 for refunds.create, refunds.*',
  'often: day 3 times for pay',
];
const agent = {
  ...{ domain: 'shop.example', agent_name: 'shopper', allowed_actions: ['*'], monetary_actions: ['pay'] },
  ...{ monetary_limit_per_txn: 1, currency: 'EUR' },
};

test('budgets are read from lines and spelled as lines, and the service takes them', async () => {
  const budgets = budgetsIn(LINES);
  expect(linesOfBudgets(budgets)).toEqual(LINES);
  const service = createIdentityService({ storage: memoryStorage() });
  const passport = await service.passports.create({ ...agent, budgets });
  expect(linesOfBudgets(passport.budgets ?? [])).toEqual(
    LINES.map((line) => line.replace('500.50', '500.5')),
  );
  await service.close();
});

test.each(['fortnight 5', 'day', 'day -1', 'hour many times', '100', ': day 5'])(
  'a line that is no budget is refused in its place: %s',
  async (line) => {
    const service = createIdentityService({ storage: memoryStorage() });
    const refused = service.passports.create({ ...agent, budgets: budgetsIn(['day 1', line]) });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
    const error = await refused.catch(({ details }) => details.errors);
    expect(error.every(({ path }: { path: string }) => path.startsWith('/budgets/1'))).toBe(true);
    await service.close();
  },
);

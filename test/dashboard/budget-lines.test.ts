import { expect, test } from 'vitest';
import { readBudget, readPace } from '../../adapters/cli/input/named-values.ts';
import {
  budgetsIn,
  linesOfBudgets,
  linesOfPaces,
  pacesIn,
} from '../../adapters/dashboard/app/text/budget-lines.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { PATIENT_MS } from '../support/patience.ts';

const LINES = [
  'window=day,limit=100',
  'window=hour,count=5',
  'name=refunds,window=month,limit=500.50,actions=refunds.create+refunds.*',
  'name=often,window=day,count=3,actions=pay',
];
const agent = {
  ...{ domain: 'shop.example', agent_name: 'shopper', allowed_actions: ['*'], monetary_actions: ['pay'] },
  ...{ monetary_limit_per_txn: 1, currency: 'EUR' },
};

test('budgets are read from lines and spelled as lines, and the service takes them', async () => {
  const budgets = budgetsIn(LINES);
  expect(linesOfBudgets(budgets)).toEqual(LINES);
  // The command has the same spelling.
  expect(LINES.map(readBudget)).toEqual(budgets);
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
  const passport = await service.passports.create({ ...agent, budgets });
  expect(linesOfBudgets(passport.budgets ?? [])).toEqual(
    LINES.map((line) => line.replace('500.50', '500.5')),
  );
  await service.close();
});

test('paces are read from lines and spelled as lines, and the service takes them', async () => {
  const lines = ['max=5,seconds=60', 'name=one,max=1,seconds=10,actions=pay+orders.*'];
  const pace = pacesIn(lines);
  expect(lines.map(readPace)).toEqual(pace);
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
  const passport = await service.passports.create({ ...agent, pace });
  expect(linesOfPaces(passport.pace ?? [])).toEqual(lines);
  await service.close();
});

test.each([
  'window=fortnight,limit=5',
  'window=day',
  'window=day,limit=-1',
  'window=hour,count=many',
  '100',
  'name=,window=day,limit=5',
])('a line that is no budget is refused in its place: %s', async (line) => {
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
  const refused = service.passports.create({ ...agent, budgets: budgetsIn(['window=day,limit=1', line]) });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
  const error = await refused.catch(({ details }) => details.errors);
  expect(error.every(({ path }: { path: string }) => path.startsWith('/budgets/1'))).toBe(true);
  await service.close();
});

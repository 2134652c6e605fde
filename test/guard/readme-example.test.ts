import { expect, onTestFinished, test } from 'vitest';
import { readPage } from '../readme/pages.ts';
import { openWorkplace } from '../readme/run.ts';

/** What the six lines take for granted. */
const BEFORE = `
import { createIdentityService } from 'agent-identity-service';
import { createToolGuard } from 'agent-identity-service/guard';
import { guardTools } from 'agent-identity-service/guard/ai-sdk';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { generateText, tool } from 'ai';
import { z } from 'zod';
import { scriptedModel } from '../../examples/scripted-model.mjs';
const service = createIdentityService({ storage: memoryStorage() });
await service.passports.create({
  domain: 'example.com', agent_name: 'shopper', allowed_actions: ['payments.create'],
  monetary_limit_per_txn: 100, currency: 'EUR',
});
const ran = [];
const inputSchema = z.object({ amount: z.number() }).transform(({ amount }) => ({ cents: amount }));
const pay = tool({ inputSchema, execute: async ({ cents }) => ran.push(cents) });
const search = tool({ inputSchema, execute: async () => ran.push('search') });
const prompt = 'Buy the book.';
for (const cents of [10_000, 10_001]) {
  const model = scriptedModel('pay', [cents]);
`;

test('the lines of the README that enforce a verdict are six, and do', async () => {
  const [, section = ''] = readPage('README.md').split('## Stop a tool');
  const [block = ''] = /(?:^ {4}.*\n)+/m.exec(section) ?? [];
  const lines = block.trim().split('\n');
  expect(lines).toHaveLength(6);
  const workplace = await openWorkplace({});
  onTestFinished(() => workplace.remove());
  expect(await workplace.runModule(`${BEFORE}${block}}\nconsole.log(ran);`)).toBe('[ 10000 ]\n');
});

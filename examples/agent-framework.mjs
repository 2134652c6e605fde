// A tool of the Vercel AI SDK: the framework runs it, the verdict comes first, and a DENY stops it.
import { createIdentityService } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { scriptedModel } from './scripted-model.mjs';

const service = createIdentityService({ storage: memoryStorage() });
const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
});
const paid = [];

const pay = tool({
  description: 'Pays the book shop.',
  inputSchema: z.object({ amount: z.number() }),
  async execute({ amount }) {
    const intent = { agent_id, action: 'payments.create', parameters: { amount } };
    const { verdict, reasons } = await service.verify(intent);
    if (verdict !== 'ALLOW') throw new Error(reasons.map(({ message }) => message).join(' '));
    paid.push(amount); // the deed itself: out of reach without an ALLOW
    return `Paid ${amount}.`;
  },
});

const { steps } = await generateText({
  model: scriptedModel('pay', [25, 2500]),
  tools: { pay },
  stopWhen: stepCountIs(5),
  prompt: 'Buy the book, then the whole library.',
});
for (const part of steps.flatMap(({ content }) => content)) {
  if (part.type === 'tool-result') console.log('ALLOW', part.output);
  if (part.type === 'tool-error') console.log('DENY', `${part.error}`);
}
console.log('paid', paid);

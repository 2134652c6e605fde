// Tools of the Vercel AI SDK behind a guard: the framework calls the tool, and a DENY keeps it from running.
import { createIdentityService } from 'agent-identity-service';
import { createToolGuard } from 'agent-identity-service/guard';
import { guardTools } from 'agent-identity-service/guard/ai-sdk';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { scriptedModel } from './scripted-model.mjs';

const service = createIdentityService({ storage: memoryStorage() });
const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
});
const paid = [];
const pay = tool({
  description: 'Pays the book shop.',
  inputSchema: z.object({ amount: z.number() }),
  async execute({ amount }) {
    paid.push(amount);
    return `Paid ${amount}.`;
  },
});
const rules = { pay: { action: 'payments.create', amount: '/amount' } };
const guard = createToolGuard({ verifier: service, agentId: agent_id, tools: rules });

const { steps } = await generateText({
  model: scriptedModel('pay', [25, 2500]),
  tools: guardTools({ pay }, guard),
  stopWhen: stepCountIs(5),
  prompt: 'Buy the book, then the whole library.',
});
for (const part of steps.flatMap(({ content }) => content)) {
  if (part.type === 'tool-result') console.log('ALLOW', part.output);
  if (part.type === 'tool-error') console.log(`${part.error}`.replace(/ dec_\w+/, ''));
}
console.log('paid', paid);

// A model with a budget of tokens: the real usage counts, and a stream that goes on and on ends with its hold.
import { createIdentityService } from 'agent-identity-service';
import { meterModel } from 'agent-identity-service/guard/ai-sdk';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { talkingModel } from './talking-model.mjs';

const service = createIdentityService({ storage: memoryStorage() });
const action = 'model.call';
const unit = /** @type {const} */ ('tokens');
const { agent_id: agentId } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'writer',
  allowed_actions: [action],
  monetary_limit_per_txn: 0,
  budgets: [{ window: 'day', limit: 280, unit, actions: [action], warn_at: 0.5 }],
});
const estimate = () => 40;
const middleware = meterModel({ verifier: service, agentId, action, estimate, maxOutputTokens: 80 });
const model = wrapLanguageModel({ model: talkingModel(), middleware });

async function show(answer) {
  const { data } = await service.passports.budgets(agentId);
  console.log(answer, ...data.map(({ spent, remaining }) => `- ${spent} spent, ${remaining} left`));
}

const { text } = await generateText({ model, prompt: 'Write a word.' });
await show(text);
let words = 0;
const { fullStream } = streamText({ model, prompt: 'Write without an end.', onError: () => {} });
for await (const part of fullStream) if (part.type === 'text-delta') words += 1;
await show(`${words} words`);
await generateText({ model, prompt: 'Write a word.' }).catch(({ details }) => show(details.reasons[0].code));
const { data } = await service.audit.list({ type: 'budget.threshold' });
for (const { type, data: event } of data) console.log(type, event['spent'], event['held']);

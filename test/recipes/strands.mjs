/** Run by run.mjs in its folder: a Strands agent with a scripted model, and the plugin of OpenCode. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, Model, tool } from '@strands-agents/sdk';
import { z } from 'zod';
import { Guard } from './opencode.ts';
import { payees } from './service.ts';
import { guardAgent } from './strands.ts';

/** A model that calls `pay` with each of these arguments, and then says what it was told. */
class ScriptedModel extends Model {
  #turn = 0;
  #calls;

  constructor(calls) {
    super();
    this.#calls = calls;
  }

  updateConfig() {}

  getConfig() {
    return { modelId: 'scripted' };
  }

  async *stream() {
    const input = this.#calls[this.#turn];
    this.#turn += 1;
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    if (input === undefined) {
      yield { type: 'modelContentBlockStartEvent' };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'done' } };
      yield { type: 'modelContentBlockStopEvent' };
      yield { type: 'modelMessageStopEvent', stopReason: 'endTurn' };
      return;
    }
    const start = { type: 'toolUseStart', name: 'pay', toolUseId: `call-${this.#turn}` };
    yield { type: 'modelContentBlockStartEvent', start };
    const delta = { type: 'toolUseInputDelta', input: JSON.stringify(input) };
    yield { type: 'modelContentBlockDeltaEvent', delta };
    yield { type: 'modelContentBlockStopEvent' };
    yield { type: 'modelMessageStopEvent', stopReason: 'toolUse' };
  }
}

function agentFor(calls, ran, addGuard = guardAgent) {
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ cents: z.number().nullish() }),
    callback: (input) => {
      ran.push(input);
      return 'paid';
    },
  });
  const agent = new Agent({ model: new ScriptedModel(calls), tools: [pay], printer: false });
  addGuard(agent);
  return agent;
}

const ran = [];
await agentFor([{ cents: 1 }, { cents: 10_001 }, {}], ran).invoke('pay');
assert.deepEqual(ran, [{ cents: 1 }]);
console.log('Strands: runs what is allowed, and nothing else');

// The same recipe with a guard that asks a person.
const asking = `
import { createIdentityService } from 'agent-identity-service';
import { createToolGuard } from 'agent-identity-service/guard';
import { memoryStorage } from 'agent-identity-service/storage/memory';

export const service = createIdentityService({ storage: memoryStorage() });
const { agent_id } = await service.passports.create({
  domain: 'example.com', agent_name: 'shopper', allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'], monetary_limit_per_txn: 100, currency: 'EUR', approval: { above: 0.5 },
});
export const guard = createToolGuard({
  verifier: service,
  agentId: agent_id,
  approvals: {},
  tools: { pay: { action: 'payments.create', amount: '/cents', decimals: 'currency', currency: 'EUR' } },
});
`;
writeFileSync('asking.ts', asking);
writeFileSync(
  'strands-asking.ts',
  readFileSync('strands.ts', 'utf8').replaceAll('./service.ts', './asking.ts'),
);
const { service } = await import('./asking.ts');
const { guardAgent: guardAsking } = await import('./strands-asking.ts');
const paid = [];
const agent = agentFor([{ cents: 60 }], paid, guardAsking);
const stopped = await agent.invoke('pay');
assert.equal(stopped.stopReason, 'interrupt');
assert.deepEqual(paid, []);
const responses = stopped.interrupts.map(({ id }) => ({
  interruptResponse: { interruptId: id, response: 'yes' },
}));
const early = await agent.invoke(responses);
assert.deepEqual(paid, [], 'a yes of the framework is no approval');
assert.notEqual(early.stopReason, 'interrupt');
const [{ id }] = (await service.approvals.list({ status: 'pending' })).data;
await service.approvals.approve(id);
const again = agentFor([{ cents: 60 }], paid, guardAsking);
await again.invoke('pay');
assert.deepEqual(paid, [{ cents: 60 }]);
await agentFor([{ cents: 60 }], paid, guardAsking).invoke('pay');
assert.deepEqual(paid, [{ cents: 60 }], 'an approval works once');
console.log('Strands: an interrupt before the approval, one run after it, then none');

payees.ran.length = 0;
const hooks = await Guard();
const call = (callID, args) =>
  hooks['tool.execute.before']({ tool: 'pay', sessionID: 's', callID }, { args });
await call('a', { cents: 10 });
await hooks['tool.execute.after']({ tool: 'pay', sessionID: 's', callID: 'a', args: {} }, {});
await assert.rejects(call('b', { cents: 10_001 }), /DENY/);
await assert.rejects(
  hooks['tool.execute.before']({ tool: 'rm', sessionID: 's', callID: 'c' }, { args: {} }),
  /DENY/,
);
console.log('OpenCode: the plugin throws for what is denied');
process.exit(0);

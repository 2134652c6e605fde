import { expect, test } from 'vitest';
import { createToolGuard } from '../../src/guard/index.ts';
import { openProver, PAYMENT, PROVING } from '../support/prover.ts';
import { openLocalService } from '../support/service.ts';

test('a tool runs by the proof that came with its call, once', async () => {
  const { service, clock } = openLocalService(PROVING);
  const { agent_id, sign } = await openProver(service, clock);
  const guard = createToolGuard({
    verifier: service,
    agentId: agent_id,
    tools: {
      pay: (args, { context }) => ({ ...PAYMENT, parameters: Object(args), proof: Object(context).proof }),
    },
  });
  const evaluate = async (args: unknown, proof?: unknown) => {
    const answer = await guard.judge({ name: 'pay', args, context: { proof } });
    expect(JSON.stringify(answer)).not.toMatch(/\beyJ/);
    return answer.allowed ? 'allowed' : answer.reasons.map(({ code }) => code).join();
  };
  const proof = await sign();
  expect(await evaluate(PAYMENT.parameters)).toBe('proof_required');
  expect(await evaluate({ ...PAYMENT.parameters, amount: '20' }, proof)).toBe('proof_invalid');
  expect(await evaluate(PAYMENT.parameters, proof)).toBe('allowed');
  expect(await evaluate(PAYMENT.parameters, proof)).toBe('proof_replayed');
  for (const no of [7, {}, 'x'.repeat(8_193)]) {
    expect(await evaluate(PAYMENT.parameters, no)).toBe('intent_unreadable');
  }
});

test('runs a callback with a valid proof once', async () => {
  const { service, clock } = openLocalService(PROVING);
  const { agent_id, sign } = await openProver(service, clock);
  const intent = { ...PAYMENT, agent_id, proof: await sign() };
  expect(await service.guard(intent, ({ proof_kid }) => typeof proof_kid)).toBe('string');
  await expect(service.guard(intent, () => 'again')).rejects.toMatchObject({
    code: 'tool_denied',
    details: { reasons: [{ code: 'proof_replayed' }] },
  });
});

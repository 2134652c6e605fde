import { expect, test } from 'vitest';
import { SECRET } from '../support/service.ts';
import { keyOf, open, verifierWith, wireTo } from './stage.ts';

test('an intent that asks for a permit is asked of the service, alone and in a batch', async () => {
  const service = open({ identity: { secret: SECRET, publicUrl: 'https://id.example.com/api' } });
  const { agent_id } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', allowed_actions: ['pay'], monetary_limit_per_txn: 1 },
  });
  const wire = wireTo(service);
  const apiKey = await keyOf(service, { scopes: ['verify', 'decide', 'permit'] });
  const verifier = verifierWith({ apiKey, fetch: wire.fetch });
  const plain = { agent_id, action: 'pay' };
  const intent = { ...plain, permit: { audience: 'https://pay.example' } };
  await verifier.verify(plain);
  for (const asked of [intent, { ...intent, permit: { ...intent.permit, seconds: undefined as never } }]) {
    const record = await verifier.verify(asked);
    expect(record).toMatchObject({ verifier: null, permit: expect.any(String) });
  }
  const denied = await verifier.verify({ ...intent, action: 'fly' });
  expect(denied).toMatchObject({ verdict: 'DENY', verifier: null, permit: null });
  const [first, second] = await verifier.verifyBatch({ intents: [plain, intent] });
  expect([first?.verifier, second?.verifier, typeof second?.permit]).toEqual([null, null, 'string']);
  expect(verifier.state()).toMatchObject({ decided: 1, asked: 5 });
});

import { expect, test } from 'vitest';
import { createIdentityClient, type IdentityClient, type Intent } from '../src/index.ts';
import { AGENT } from './support/verdict-stage.ts';

const KEY = 'ais_live_0000000000000000000000000000000000000000000abcdef';
const INTENT = { agent_id: AGENT, action: 'orders.get' };
const ALLOW = {
  verdict: 'ALLOW',
  reasons: [],
  decision_id: 'dec_1',
  ...INTENT,
  target: null,
  amount: null,
  currency: null,
  dry_run: false,
};

/** A client to which every request is answered by this. */
function clientOf(answer: object): IdentityClient {
  const fetch = async () => Response.json(answer);
  return createIdentityClient({ baseUrl: 'http://service.example/api', apiKey: KEY, fetch });
}

test('an answer is taken when it is about all of the intent, and else refused', async () => {
  const client = clientOf(ALLOW);
  expect(await client.verify(INTENT)).toEqual(ALLOW);
  expect(await client.verify({ ...INTENT, target: undefined, dry_run: false } as unknown as Intent)).toEqual(
    ALLOW,
  );
  const target = 'did:web:shop.example';
  const answer = { ...ALLOW, target, amount: 19.99, currency: 'EUR', dry_run: true };
  const paying = clientOf(answer);
  const intent = { ...INTENT, target, dry_run: true };
  for (const amount of ['19.99', '19.990', 19.99]) {
    const parameters = { amount, currency: 'EUR' };
    expect(await paying.verify({ ...intent, parameters })).toEqual(answer);
  }
  for (const change of [
    { target: 'did:web:other.example' },
    { target: undefined },
    { dry_run: false },
    { parameters: { amount: '19.98', currency: 'EUR' } },
    { parameters: { amount: 'much', currency: 'EUR' } },
    { parameters: { amount: 19.99, currency: 'USD' } },
    { parameters: { amount: 19.99, currency: 'euro' } },
    { parameters: { amount: 19.99 } },
    { parameters: { currency: 'EUR' } },
    { parameters: undefined },
  ]) {
    const other = { ...intent, parameters: { amount: 19.99, currency: 'EUR' }, ...change };
    await expect(paying.verify(other as Intent)).rejects.toMatchObject({ code: 'service_unreachable' });
  }
});

/** What a request for a token leaves in logs, records and metrics. */
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/metrics/index.ts';
import { dpopOf, makeKeyPair, openAgent } from './stage.ts';

test('writes no token, assertion or proof to the log or to a record', async () => {
  const { ask, logs, service } = await openAgent();
  const dpop = await dpopOf(await makeKeyPair());
  const { body, assertion } = await ask({ scope: 'orders.read' }, { dpop });
  await ask({}, { claims: { aud: 'x' } });
  const shown = JSON.stringify([logs, (await service.verifications.list({}, { account_id: 'acc_1' })).data]);
  for (const secret of [String(body['access_token']), assertion, dpop]) expect(shown).not.toContain(secret);
});

test('counts every result, and logs a refusal by its code alone', async () => {
  const metrics = createMetrics();
  const { ask, logs } = await openAgent({}, { metrics });
  await ask();
  await ask({ resource: 'http://plain.example' });
  await ask({ client_assertion: 'no.assertion.here' });
  expect(
    metrics
      .text()
      .match(/^agent_identity_tokens_total\{.*$/gm)
      ?.sort(),
  ).toEqual([
    'agent_identity_tokens_total{result="invalid_client"} 1',
    'agent_identity_tokens_total{result="invalid_target"} 1',
    'agent_identity_tokens_total{result="issued"} 1',
  ]);
  const refusals = logs.map((line) => JSON.parse(line)).filter(({ event }) => event === 'token.refused');
  expect(refusals).toEqual(
    ['invalid_target', 'invalid_client'].map((reason) => ({
      level: 'warn',
      event: 'token.refused',
      message: 'An agent was refused an access token.',
      reason,
      request_id: expect.any(String),
    })),
  );
});

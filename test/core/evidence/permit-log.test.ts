/** A permit names the tree of the log that its node knows: a resource that keeps the permit keeps our past. */
import { expect, test } from 'vitest';
import { createPermitVerifier } from '../../../src/tokens/proof/index.ts';
import { openLocalService, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { claimsOf } from '../../support/signing.ts';
import { passUntil } from './log-steps.ts';

const identity = { secret: SECRET, publicUrl: PUBLIC_URL };
const AUDIENCE = 'https://pay.example';

test('a permit has the last tree, and one that is signed again has that of the first, although the log has grown', async () => {
  const opened = openLocalService({ identity, evidence: {} });
  const { service, clock } = opened;
  const { agent_id } = await service.passports.create({
    ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.*'] },
    monetary_limit_per_txn: 0,
  });
  const ask = async (idempotencyKey?: string) => {
    const intent = { agent_id, action: 'orders.list', permit: { audience: AUDIENCE, seconds: 60 } };
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    return (await service.verify(intent, options)).permit ?? '';
  };
  expect(claimsOf(await ask())).not.toHaveProperty('log');
  await passUntil(opened, async () => (await service.evidence.state().catch(() => undefined)) !== undefined);
  const { origin, size, root } = await service.evidence.state();
  const first = await ask('a-key');
  expect(claimsOf(first)).toMatchObject({ log: { origin, size, root } });
  await service.suspend({ agent_id });
  await service.reinstate({ agent_id });
  await passUntil(opened, async () => (await service.evidence.state()).size > size);
  expect(claimsOf(await ask('a-key'))).toEqual(claimsOf(first));
  const { log } = claimsOf(await ask()) as { readonly log: { readonly size: number } };
  expect(log.size).toBeGreaterThan(size);
  const verify = createPermitVerifier({
    issuers: ['did:web:shop.example'],
    audience: AUDIENCE,
    once: false,
    keys: await service.signing.jwks(),
    at: clock.now,
  });
  expect((await verify(first, { action: 'orders.list' })).log).toEqual({ origin, size, root });
  await service.close();
});

import { describe, expect, test } from 'vitest';
import { createIdentityService } from '../../../src/core.ts';
import type { PassportInput } from '../../../src/index.ts';
import { generateAgentKey, signIntent } from '../../../src/tokens/proof/index.ts';
import { defaultRules, type Facts } from '../../../src/verdict/index.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import {
  AUDIENCE,
  ED25519,
  openProver,
  outcome,
  P256,
  PAYMENT,
  PROVING,
  SHOPPER,
  TARGET,
} from '../../support/prover.ts';
import { openLocalService, SECRET } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';

async function open(changed: Partial<PassportInput> = {}, options = {}) {
  const opened = openLocalService({ ...PROVING, ...options });
  const prover = await openProver(opened.service, opened.clock, changed);
  return { ...opened, ...prover };
}

describe('a passport that requires a proof of the intent', () => {
  test('allows what the agent signed, names the key, and denies any change of it', async () => {
    const { service, agent_id, sign } = await open();
    const proof = await sign();
    const dearer = { ...PAYMENT, parameters: { ...PAYMENT.parameters, amount: '20.00' } };
    const denied = await service.verify({ ...dearer, agent_id, proof });
    expect(outcome(denied)).toBe('proof_invalid intent');
    expect(denied.proof_kid).toBeNull();
    const noted = { ...PAYMENT, parameters: { ...PAYMENT.parameters, note: 'groesse' } };
    expect(outcome(await service.verify({ ...noted, agent_id, proof }))).toBe('proof_invalid intent');
    const record = await service.verify({ ...PAYMENT, agent_id, proof });
    expect(outcome(record)).toBe('ALLOW');
    expect(record.proof_kid).toBe(ED25519.kid);
    expect(record.amount).toBe(19.99);
  });

  test('denies an intent without one, and says what is asked for', async () => {
    const { service, agent_id } = await open();
    const { reasons } = await service.verify({ ...PAYMENT, agent_id });
    expect(reasons).toEqual([{ code: 'proof_required', message: 'A proof is required.', proof: 'intent' }]);
  });

  test('lists the reason behind those of its own rules, in their order', async () => {
    const { service, agent_id } = await open();
    const intent = { agent_id, action: 'other', parameters: { amount: 101, currency: 'EUR' }, proof: 'none' };
    expect(outcome(await service.verify(intent))).toBe(
      'action_not_allowed, amount_over_limit, proof_invalid malformed',
    );
  });

  test('takes a proof of either algorithm, until its end and five seconds', async () => {
    const { service, agent_id, clock, sign } = await open();
    const iat = Math.floor(clock.now() / 1_000);
    const es256 = await signIntent(PAYMENT, { key: P256.private_jwk, agent_id, audience: AUDIENCE });
    expect(outcome(await service.verify({ ...PAYMENT, agent_id, proof: es256 }))).toMatch(/time|expired/);
    const proof = await sign(PAYMENT, { iat });
    clock.advance(65_000);
    const { reasons } = await service.verify({ ...PAYMENT, agent_id, proof });
    const since = new Date((iat + 60) * 1_000).toISOString();
    expect(reasons).toEqual([{ code: 'proof_expired', message: 'The proof is expired.', since }]);
    clock.advance(-1);
    expect(outcome(await service.verify({ ...PAYMENT, agent_id, proof }))).toBe('ALLOW');
  });
});

describe('a proof', () => {
  test('is good for one ALLOW, over restarts too', async () => {
    const { service, storage, clock, agent_id, sign } = await open();
    const asked = { ...PAYMENT, agent_id, proof: await sign() };
    const records = [await service.verify(asked), await service.verify(asked)];
    expect(records.map(outcome)).toEqual(['ALLOW', 'proof_replayed']);
    expect(records.map(({ proof_kid }) => proof_kid)).toEqual([ED25519.kid, ED25519.kid]);
    const other = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage, clock, ...PROVING });
    expect(outcome(await other.verify(asked))).toBe('proof_replayed');
  });

  test('that is denied or only tried is not used up, and writes nothing', async () => {
    const storage = probe();
    const { service, agent_id, sign } = await open({}, { storage });
    const proof = await sign();
    await service.verify({ ...PAYMENT, agent_id, proof: await sign(PAYMENT) });
    storage.calls.length = 0;
    const forged = `${proof.slice(0, -3)}AAA`;
    const asked = { ...PAYMENT, agent_id, proof };
    expect(outcome(await service.verify({ ...asked, action: 'orders.list' }))).toBe('proof_invalid intent');
    expect(outcome(await service.verify({ ...asked, proof: forged }))).toMatch(
      /^proof_invalid (signature|malformed)$/,
    );
    expect(outcome(await service.verify({ ...asked, dry_run: true }))).toBe('ALLOW');
    expect(outcome(await service.passports.try(agent_id, { intent: asked }))).toBe('ALLOW');
    expect(storage.calls.filter((call) => call === 'write')).toEqual([]);
    expect(outcome(await service.verify(asked))).toBe('ALLOW');
    expect(storage.calls.filter((call) => call === 'write')).toHaveLength(1);
    expect(outcome(await service.verify({ ...asked, dry_run: true }))).toBe('ALLOW');
  });

  test('is evaluated even if none is required, and never without a passport that the caller sees', async () => {
    const { service, agent_id, sign } = await open({ proof: 'optional' });
    const proof = await sign();
    const asked = { ...PAYMENT, agent_id };
    expect(outcome(await service.verify(asked))).toBe('ALLOW');
    expect(outcome(await service.verify({ ...asked, proof: 'x' }))).toBe('proof_invalid malformed');
    expect(outcome(await service.verify({ ...asked, proof }, { agent_ids: [] }))).toBe('agent_not_found');
    const unseen = await service.verify({ ...asked, proof }, { account_id: 'acc_other' });
    expect([outcome(unseen), unseen.proof_kid]).toEqual(['agent_not_found', null]);
    expect(outcome(await service.verify({ ...asked, agent_id: `${agent_id}2`, proof }))).toBe(
      'agent_not_found',
    );
    expect(outcome(await service.verify({ ...asked, proof }))).toBe('ALLOW');
  });

  test('of identity names the target, so that no other host can use it', async () => {
    const { service, clock, agent_id } = await open({ proof: 'identity' });
    const { SignJWT, importJWK } = await import('jose');
    const sign = async (claims: object) =>
      new SignJWT({ aud: AUDIENCE, jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'EdDSA', kid: ED25519.kid, typ: 'agent-intent+jwt' })
        .setIssuer(agent_id)
        .setIssuedAt(Math.floor(clock.now() / 1_000))
        .setExpirationTime(Math.floor(clock.now() / 1_000) + 60)
        .sign(await importJWK({ ...ED25519.private_jwk }, 'EdDSA'));
    const verify = async (claims: object, intent = PAYMENT) =>
      outcome(await service.verify({ ...intent, agent_id, proof: await sign(claims) }));
    expect(await verify({ target: TARGET })).toBe('ALLOW');
    expect(await verify({})).toBe('proof_invalid intent');
    expect(await verify({ target: TARGET }, { ...PAYMENT, target: 'did:web:other.example' })).toBe(
      'proof_invalid intent',
    );
    await service.passports.update(agent_id, { proof: 'intent' });
    expect(await verify({ target: TARGET })).toBe('proof_invalid intent');
    expect(await verify({ intent: PAYMENT })).toBe('ALLOW');
  });

  test('by a key that the passport no longer has is not taken', async () => {
    const { service, prove, agent_id } = await open();
    expect(outcome(await prove())).toBe('ALLOW');
    await service.passports.update(agent_id, { public_keys: [P256.public_jwk] });
    expect(outcome(await prove())).toBe('proof_invalid key');
  });

  test('is not shown to rules of the application, and stands in no record', async () => {
    const seen: Facts[] = [];
    const rules = [...defaultRules, (facts: Facts) => void seen.push(facts)];
    const { service, agent_id, sign } = await open({}, { rules });
    const proof = await sign();
    const record = await service.verify({ ...PAYMENT, agent_id, proof });
    expect(outcome(record)).toBe('ALLOW');
    expect(seen).toHaveLength(1);
    expect(JSON.stringify([seen, record])).not.toContain(proof.slice(0, 20));
    expect(seen[0]?.intent.parameters).toEqual(PAYMENT.parameters);
  });

  test('that the store cannot note allows nothing', async () => {
    const storage = probe();
    const { prove } = await open({}, { storage });
    storage.fail = (call) => (call === 'write' ? Promise.reject(new Error('down')) : undefined);
    await expect(prove()).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  test('of any other type than text is a malformed intent; one that is too short or long is denied', async () => {
    const { service, agent_id } = await open();
    const verify = (proof: unknown) => service.verify({ ...PAYMENT, agent_id, proof } as never);
    for (const proof of [1, null, {}, ['x']]) {
      await expect(verify(proof)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    for (const proof of ['', 'x'.repeat(8_193)]) {
      expect(outcome(await verify(proof))).toBe('proof_invalid malformed');
    }
  });
});

test('evaluates each intent of a batch by its own proof, and uses a repeated jti once', async () => {
  const { service, agent_id, sign } = await open();
  const proof = await sign();
  const asked = { ...PAYMENT, agent_id };
  const order = { action: 'orders.list', target: TARGET };
  const intents = [
    { ...asked, proof },
    { ...asked, proof },
    asked,
    { ...order, agent_id, proof: await sign(order) },
    { ...asked, proof: await sign(PAYMENT, { jti: 'the-same-id-in-both' }) },
    { ...order, agent_id, proof: await sign(order, { jti: 'the-same-id-in-both' }) },
  ];
  const records = await service.verifyBatch({ intents });
  expect(records.map(outcome)).toEqual([
    ...['ALLOW', 'proof_replayed', 'proof_required', 'ALLOW', 'ALLOW', 'proof_replayed'],
  ]);
});

test('parameters that are not plain data are named where they stand', async () => {
  const { service, agent_id, sign } = await open();
  const bad = { ...PAYMENT, agent_id, proof: await sign(), parameters: { rows: new Map() } };
  const paths = async (run: Promise<unknown>) =>
    run.catch(({ details }) => details.errors.map(({ path }: { path: string }) => path));
  expect(await paths(service.verify(bad))).toEqual(['/parameters/rows']);
  expect(await paths(service.verifyBatch({ intents: [bad] }))).toEqual(['/intents/0/parameters/rows']);
});

test('the service takes the audiences and the time that it was set up with', async () => {
  const identity = { secret: SECRET, publicUrl: 'https://id.example.com/' };
  const given = { identity, proofAudiences: [AUDIENCE], proofMaxSeconds: 59 };
  const { prove, service, agent_id, clock } = await open({}, given);
  expect(outcome(await prove())).toBe('proof_invalid time');
  const options = { key: ED25519.private_jwk, agent_id, audience: 'https://id.example.com', seconds: 59 };
  const { createIntentSigner } = await import('../../../src/tokens/proof/sign-intent.ts');
  const iat = Math.floor(clock.now() / 1_000);
  const sign = (audience: string) => createIntentSigner({ ...options, audience }).sign(PAYMENT, { iat });
  const verify = async (audience: string) =>
    outcome(await service.verify({ ...PAYMENT, agent_id, proof: await sign(audience) }));
  expect(await verify('https://id.example.com')).toBe('ALLOW');
  expect(await verify(AUDIENCE)).toBe('ALLOW');
  expect(await verify('https://id.example.com/')).toBe('proof_invalid audience');
});

test.each([
  [{ identity: { publicUrl: 'id.example.com' } }, 'publicUrl'],
  [{ identity: { publicUrl: 'https://a:b@id.example.com' } }, 'publicUrl'],
  [{ identity: { publicUrl: 'https://id.example.com?a' } }, 'publicUrl'],
  [{ identity: { proofAudiences: ['https://id.example.com'] } }, 'proofAudiences is an option of'],
  [{ proofAudiences: 'https://id.example.com' }, 'proofAudiences'],
  [{ proofAudiences: [''] }, 'proofAudiences'],
  [{ proofMaxSeconds: 0 }, 'proofMaxSeconds'],
  [{ proofMaxSeconds: 3_601 }, 'proofMaxSeconds'],
])('the options %j are refused', (options, name) => {
  const open = () => openLocalService({ ...PROVING, ...options } as never);
  expect(open).toThrow(
    expect.objectContaining({ code: 'invalid_configuration', message: expect.stringContaining(name) }),
  );
});

describe('a passport cannot require what could never be proved', () => {
  const paths = (run: Promise<unknown>) =>
    run.then(
      () => [],
      ({ details }) => details.errors.map(({ path }: { path: string }) => path),
    );

  test('without a key, at its creation and by a change', async () => {
    const { service, agent_id } = await open();
    const { public_keys: _, ...keyless } = SHOPPER;
    const named = { ...keyless, agent_name: 'b' };
    expect(await paths(service.passports.create(named))).toEqual(['/public_keys']);
    expect(await paths(service.passports.create({ ...named, public_keys: [] }))).toEqual(['/public_keys']);
    expect(await paths(service.passports.update(agent_id, { public_keys: null }))).toEqual(['/public_keys']);
    await service.passports.update(agent_id, { public_keys: null, proof: null });
    expect(await paths(service.passports.update(agent_id, { proof: 'identity' }))).toEqual(['/public_keys']);
    await service.passports.update(agent_id, { proof: 'optional' });
  });

  test('of a service without a name', async () => {
    const { service } = openLocalService();
    expect(await paths(service.passports.create(SHOPPER))).toEqual(['/proof']);
    await service.passports.create({ ...SHOPPER, proof: 'optional' });
    expect(await paths(service.passports.create({ ...SHOPPER, proof: 'always' as never }))).toEqual([
      '/proof',
    ]);
  });

  test('and a proof to a service without a name is for another one', async () => {
    const { service, clock } = openLocalService();
    const { prove } = await openProver(service, clock, { proof: 'optional' });
    expect(outcome(await prove())).toBe('proof_invalid audience');
  });
});

test('a key of another agent proves nothing', async () => {
  const otherAgent = await generateAgentKey();
  const { service, agent_id } = await open();
  const proof = await signIntent(PAYMENT, { key: otherAgent.private_jwk, agent_id, audience: AUDIENCE });
  expect(outcome(await service.verify({ ...PAYMENT, agent_id, proof }))).toBe('proof_invalid key');
});

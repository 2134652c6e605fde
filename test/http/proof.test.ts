import { describe, expect, test } from 'vitest';
import { createIntentSigner } from '../../src/tokens/proof/sign-intent.ts';
import { makeKey, openApi, signIn } from '../support/api.ts';
import { AUDIENCE, ED25519, PAYMENT, PROVING, SHOPPER } from '../support/prover.ts';
import { openService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';

async function open() {
  const storage = probe();
  const opened = openService({ ...PROVING, storage });
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  const { body } = await api.ask('POST', '/passports', { token, json: SHOPPER });
  const { key } = await makeKey(api, token);
  const agent_id = `${body['agent_id']}`;
  const signer = createIntentSigner({ key: ED25519.private_jwk, agent_id, audience: AUDIENCE });
  /** Neither an answer nor a log may show one, nor a part of it. */
  async function sign(): Promise<string> {
    const proof = await signer.sign(PAYMENT, { iat: Math.floor(opened.clock.now() / 1_000) });
    for (const part of [proof, ...proof.split('.').slice(1)]) opened.secrets.add(part);
    return proof;
  }
  const ask = async (json: object, headers: Record<string, string> = {}) => {
    const answer = await api.ask('POST', '/verify', {
      key,
      json: { ...PAYMENT, agent_id, ...json },
      headers,
    });
    const {
      verdict,
      reasons = [],
      errors = [],
      code,
    } = answer.body as {
      verdict?: string;
      reasons?: { code: string; problem?: string }[];
      errors?: { path: string; code: string }[];
      code?: string;
    };
    const why = [...reasons.map((reason) => `${reason.code} ${reason.problem ?? ''}`.trim())];
    return [answer.status, verdict ?? code, ...why, ...errors.map((one) => `${one.path} ${one.code}`)].join(
      ' ',
    );
  };
  return { ...opened, api, token, key, agent_id, sign, ask, probe: storage };
}

describe('over HTTP a proof', () => {
  test('comes as a member of the intent or as the header, never as both', async () => {
    const { ask, sign } = await open();
    expect(await ask({ proof: await sign() })).toBe('200 ALLOW');
    expect(await ask({}, { 'agent-proof': await sign() })).toBe('200 ALLOW');
    const proof = await sign();
    expect(await ask({ proof }, { 'agent-proof': proof })).toBe('400 invalid_request /proof duplicate');
    expect(await ask({ proof: await sign() }, { 'agent-proof': '' })).toBe('200 ALLOW');
    expect(await ask({}, { 'agent-proof': '' })).toBe('200 DENY proof_required');
    expect(await ask({ proof })).toBe('200 ALLOW');
    expect(await ask({ proof })).toBe('200 DENY proof_replayed');
  });

  test('that comes in two headers is refused', async () => {
    const { api, key, agent_id, sign } = await open();
    const body = JSON.stringify({ ...PAYMENT, agent_id });
    const proof = await sign();
    const headers = ['x-api-key', key, 'content-type', 'application/json', 'agent-proof', proof];
    const { status, body: problem } = await api.askRaw(
      'POST',
      '/verify',
      [...headers, 'Agent-Proof', proof],
      body,
    );
    expect([status, problem['code']]).toEqual([400, 'invalid_request']);
  });

  test('that is empty, too long or no text is refused', async () => {
    const { ask, api, key, token, agent_id } = await open();
    expect(await ask({ proof: '' })).toBe('400 invalid_request /proof too_short');
    expect(await ask({ proof: 'x'.repeat(8_193) })).toBe('400 invalid_request /proof too_long');
    expect(await ask({}, { 'agent-proof': 'x'.repeat(8_193) })).toBe('400 invalid_request /proof too_long');
    expect(await ask({ proof: 7 })).toBe('400 invalid_request /proof wrong_type');
    expect(await ask({ proof: null })).toBe('400 invalid_request /proof wrong_type');
    expect(await ask({ proof: 'x'.repeat(8_192) })).toBe('200 DENY proof_invalid malformed');
    const intents = [
      { ...PAYMENT, agent_id },
      { ...PAYMENT, agent_id, proof: '' },
    ];
    const batch = await api.ask('POST', '/verify/batch', { key, json: { intents } });
    expect(batch.body['errors']).toMatchObject([{ path: '/intents/1/proof', code: 'too_short' }]);
    const path = `/passports/${encodeURIComponent(agent_id)}/try`;
    const trial = await api.ask('POST', path, { token, json: { intent: intents[1] } });
    expect(trial.body['errors']).toMatchObject([{ path: '/intent/proof', code: 'too_short' }]);
  });

  test('is shown in no answer and no log, whatever comes of it', async () => {
    const { ask, sign, api, token, probe: storage, secrets, agent_id, clock, service, timers } = await open();
    secrets.add(ED25519.private_jwk.d);
    expect(await ask({ proof: await sign() })).toBe('200 ALLOW');
    expect(await ask({ proof: await sign(), action: 'orders.list' })).toBe('200 DENY proof_invalid intent');
    expect(await ask({ proof: await sign(), other: 1 })).toMatch(/^400 /);
    storage.fail = (call) => (call === 'write' ? Promise.reject(new Error('down')) : undefined);
    expect(await ask({ proof: await sign() })).toBe('503 storage_unavailable');
    storage.fail = undefined;
    clock.advance(60_000);
    await timers.pass(5_000);
    const key = await api.ask('POST', '/passports', {
      token,
      json: { ...SHOPPER, agent_name: 'b', public_keys: [ED25519.private_jwk] },
    });
    expect(key.status).toBe(400);
    await service.health();
    const { body } = await api.ask('GET', `/verifications?agent_id=${encodeURIComponent(agent_id)}`, {
      token,
    });
    expect(body['data']).toMatchObject([{ proof_kid: null }, { proof_kid: ED25519.kid }]);
  });
});

test('each intent of a batch has its own', async () => {
  const { api, key, agent_id, sign } = await open();
  const proof = await sign();
  const asked = { ...PAYMENT, agent_id };
  const intents = [{ ...asked, proof }, { ...asked, proof }, { ...asked, proof: await sign() }, asked];
  const { body } = await api.ask('POST', '/verify/batch', { key, json: { intents } });
  expect(body['verdicts']).toMatchObject([
    { verdict: 'ALLOW' },
    { verdict: 'DENY', reasons: [{ code: 'proof_replayed' }] },
    { verdict: 'ALLOW' },
    { verdict: 'DENY', reasons: [{ code: 'proof_required', proof: 'intent' }] },
  ]);
});

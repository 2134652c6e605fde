import { expect, test } from 'vitest';
import { defaultRules } from '../../src/verdict/index.ts';
import { expectProblem, issue, makeKey, openApi, PASSPORT, signIn } from '../support/api.ts';
import { openService } from '../support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const PATH = `/passports/${encodeURIComponent(AGENT)}/try`;
const INTENT = { agent_id: AGENT, action: 'payments.create', parameters: { amount: 50, currency: 'EUR' } };

async function stage(options: Parameters<typeof openService>[0] = {}) {
  const opened = openService(options);
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  await issue(api, token);
  const ask = (json: unknown) => api.ask('POST', PATH, { token, json });
  return { opened, api, token, account_id, ask };
}

test('evaluates like verify, by the passport as it is or as a patch would make it, and records nothing', async () => {
  const { opened, api, token, account_id, ask } = await stage();
  expect((await ask({ intent: INTENT })).body).toEqual({ verdict: 'ALLOW', reasons: [] });
  const patch = { monetary_limit_per_txn: '49.50' };
  const { body } = await ask({ intent: INTENT, patch });
  expect(body).toMatchObject({ verdict: 'DENY', reasons: [{ code: 'amount_over_limit', limit: '49.5' }] });
  const { data } = await opened.service.verifications.list({}, { account_id });
  expect(data).toEqual([]);
  const stored = await api.ask('GET', `/passports/${encodeURIComponent(AGENT)}`, { token });
  expect(stored.body).toMatchObject({ version: 1, monetary_limit_per_txn: 100 });
  const really = await api.ask('PATCH', `/passports/${encodeURIComponent(AGENT)}`, { token, json: patch });
  expect(really.status).toBe(200);
  const asked = await opened.service.verify(INTENT, { account_id });
  expect({ verdict: asked.verdict, reasons: asked.reasons }).toEqual(body);
});

test('asks the rules of the application', async () => {
  const noCats = ({ action }: { readonly action: string }) =>
    action.startsWith('cats.') ? { code: 'no_cats', message: 'No cats.' } : undefined;
  const { ask } = await stage({ rules: [...defaultRules, noCats] });
  const intent = { agent_id: AGENT, action: 'cats.feed' };
  const { body } = await ask({ intent, patch: { allowed_actions: ['cats.*'] } });
  expect(body).toEqual({ verdict: 'DENY', reasons: [{ code: 'no_cats', message: 'No cats.' }] });
});

test('refuses a patch as PATCH does, below /patch', async () => {
  const { api, token, ask } = await stage();
  const wrong: readonly (readonly [object, readonly string[]])[] = [
    [{ intent: INTENT, patch: { monetary_limit_per_txn: -1 } }, ['/patch/monetary_limit_per_txn']],
    [{ intent: INTENT, patch: { curency: 'EUR' } }, ['/patch/curency']],
    [{ intent: INTENT, patch: { domain: 'example.org' } }, ['/patch/domain']],
    [{ intent: INTENT, patch: { allowed_actions: ['a b'] } }, ['/patch/allowed_actions/0']],
    [
      { intent: INTENT, patch: { currency: 'JPY', monetary_limit_per_txn: '1.5' } },
      ['/patch/monetary_limit_per_txn'],
    ],
    [{ intent: INTENT, patch: [] }, ['/patch']],
    [{ intent: { agent_id: AGENT } }, ['/intent/action']],
    [{ intent: { ...INTENT, agent_id: 'did:web:example.com:agents:other' } }, ['/intent/agent_id']],
    [{ patch: {} }, ['/intent']],
    [{ intent: INTENT, agent_id: AGENT }, ['/agent_id']],
  ];
  for (const [json, paths] of wrong)
    expect(expectProblem(await ask(json), 400, 'invalid_request'), JSON.stringify(json)).toEqual(paths);
  const misspelt = await ask({ intent: INTENT, patch: { curency: 'EUR' } });
  expect(misspelt.text).toContain('currency');
  // What is wrong only together with what is stored.
  await api.ask('PATCH', `/passports/${encodeURIComponent(AGENT)}`, {
    token,
    json: { monetary_limit_per_txn: '1.5' },
  });
  const together = await ask({ intent: INTENT, patch: { currency: 'JPY' } });
  expect(expectProblem(together, 400, 'invalid_request')).toEqual(['/patch/monetary_limit_per_txn']);
});

test('a revoked passport takes no patch, and denies without one', async () => {
  const { api, token, ask } = await stage();
  await api.ask('POST', '/revoke', { token, json: { agent_id: AGENT } });
  expectProblem(await ask({ intent: INTENT, patch: {} }), 409, 'conflict');
  expect((await ask({ intent: INTENT })).body).toMatchObject({ reasons: [{ code: 'agent_revoked' }] });
});

test('a passport of another account is like none; a key is no token', async () => {
  const { opened, api, token } = await stage();
  const otherAccount = await signIn(opened, api, 'third@example.com');
  const json = { intent: INTENT };
  const theirs = await api.ask('POST', PATH, { token: otherAccount.token, json });
  const agent_id = 'did:web:none.example:agents:x';
  const none = await api.ask('POST', `/passports/${agent_id}/try`, {
    token,
    json: { intent: { ...INTENT, agent_id } },
  });
  expectProblem(theirs, 404, 'not_found');
  expectProblem(none, 404, 'not_found');
  const { key } = await makeKey(api, token);
  expectProblem(await api.ask('POST', PATH, { key, json }), 401, 'unauthenticated');
});

test('takes 60 a minute of an account, before it reads the body', async () => {
  const { opened, api, ask } = await stage();
  for (let count = 0; count < 59; count += 1) expect((await ask({ intent: INTENT })).status).toBe(200);
  expectProblem(await ask({}), 400, 'invalid_request');
  const over = await ask({});
  expectProblem(over, 429, 'rate_limited');
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
  const other = await signIn(opened, api, 'other@example.com');
  await issue(api, other.token, { ...PASSPORT, domain: 'other.example' });
  const json = { intent: { ...INTENT, agent_id: 'did:web:other.example:agents:shopper' } };
  const path = '/passports/did:web:other.example:agents:shopper/try';
  expect((await api.ask('POST', path, { token: other.token, json })).status).toBe(200);
  opened.clock.advance(60_000);
  expect((await ask({ intent: INTENT })).status).toBe(200);
});

import { expect, test } from 'vitest';
import { type Ask, expectProblem, issue, makeKey, PASSPORT, signIn } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';

/** Everything that can be wrong with a suspension by key, in the order in which it is refused. */
const CHECKS = [
  ['path', 404, 'not_found'],
  ['method', 405, 'method_not_allowed'],
  ['credential', 401, 'unauthenticated'],
  ['scope', 403, 'insufficient_scope'],
  ['type', 415, 'unsupported_media_type'],
  ['size', 413, 'payload_too_large'],
  ['json', 400, 'invalid_json'],
  ['object', 404, 'not_found'],
  ['state', 409, 'conflict'],
] as const;

test('the first of any number of mistakes is the one that is answered', async () => {
  const { api, token } = await openStage();
  const revoked = await issue(api, token);
  await api.ask('POST', '/revoke', { token, json: { agent_id: revoked } });
  const active = await issue(api, token, { agent_name: 'active' });
  const good = await makeKey(api, token);
  const scopeless = await makeKey(api, token, { scopes: ['verify'] });

  for (let mask = 1; mask < 2 ** CHECKS.length; mask += 1) {
    const wrong = new Set(CHECKS.filter((_, bit) => (mask >> bit) % 2 === 1).map(([name]) => name));
    const key = wrong.has('credential') ? `${good.key}x` : wrong.has('scope') ? scopeless.key : good.key;
    const agent_id = wrong.has('object') ? `${revoked}x` : wrong.has('state') ? revoked : active;
    const text = wrong.has('json') ? '{"agent_id":' : JSON.stringify({ agent_id });
    const ask: Ask = {
      key,
      body: wrong.has('size') ? text + ' '.repeat(70_000) : text,
      type: wrong.has('type') ? 'text/plain' : 'application/json',
    };
    const path = wrong.has('path') ? '/suspend/' : '/suspend';
    const first = CHECKS.find(([name]) => wrong.has(name));
    if (first === undefined) throw new Error('Nothing is wrong.');
    expectProblem(await api.ask(wrong.has('method') ? 'PUT' : 'POST', path, ask), first[1], first[2]);
  }
});

/** The same for a patch, whose object has a version as well. */
test.each([
  ['credential', 'type', 401, 'unauthenticated'],
  ['type', 'json', 415, 'unsupported_media_type'],
  ['json', 'condition', 400, 'invalid_json'],
  ['schema', 'object', 400, 'invalid_request'],
  ['rule', 'object', 400, 'invalid_request'],
  ['condition', 'object', 400, 'invalid_request'],
  ['condition', 'state', 400, 'invalid_request'],
  ['schema', 'state', 400, 'invalid_request'],
  ['rule', 'state', 400, 'invalid_request'],
  ['rule', 'version', 400, 'invalid_request'],
  ['object', 'version', 404, 'not_found'],
  ['state', 'version', 409, 'conflict'],
  ['version', 'none', 412, 'version_mismatch'],
])('of a patch with wrong %s and wrong %s, the answer is %i', async (first, second, status, code) => {
  const { api, token, refused } = await openStage();
  const agent = await issue(api, token);
  const wrong = new Set([first, second]);
  if (wrong.has('state')) await api.ask('POST', '/revoke', { token, json: { agent_id: agent } });
  const patch = {
    description: wrong.has('schema') ? 1 : 'new',
    ...(wrong.has('rule') && { currency: 'XYZ' }),
  };
  const condition = wrong.has('condition') ? 'one' : wrong.has('version') ? '"9"' : '"1"';
  await refused(
    'PATCH',
    `/passports/${agent}${wrong.has('object') ? 'x' : ''}`,
    {
      token: wrong.has('credential') ? 'x' : token,
      type: wrong.has('type') ? 'text/plain' : 'application/merge-patch+json',
      body: wrong.has('json') ? '{' : JSON.stringify(patch),
      headers: { 'if-match': condition },
    },
    status,
    code,
  );
});

test('checks a claimed domain before the same agent_id', async () => {
  const { opened, api, token, refused } = await openStage();
  await issue(api, token);
  const other = await signIn(opened, api, 'other@example.com');
  await refused('POST', '/passports', { token: other.token, json: PASSPORT }, 409, 'domain_claimed');
  await refused('POST', '/passports', { token, json: PASSPORT }, 409, 'already_exists');
});

test('scopes that a test key cannot have are wrong, whether the key is revoked or not', async () => {
  const { api, token, refused } = await openStage();
  const { id } = await makeKey(api, token, { environment: 'test' });
  const wrong = { token, json: { scopes: ['revoke'] } };
  expect(await refused('PATCH', `/keys/${id}`, wrong, 400, 'invalid_request')).toEqual(['/scopes']);
  await api.ask('DELETE', `/keys/${id}`, { token });
  expect(await refused('PATCH', `/keys/${id}`, wrong, 400, 'invalid_request')).toEqual(['/scopes']);
  await refused('PATCH', `/keys/${id}`, { token, json: { name: 'new' } }, 409, 'conflict');
});

import { expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { nodeListener } from '../../src/http/index.ts';
import type { DomainProver } from '../../src/ports/index.ts';
import type { DomainClaim } from '../../src/types.ts';
import { HOST, input, openDomains as open } from '../core/domains/internet.ts';
import { expectProblem, openApi, signIn, text } from '../support/api.ts';
import { listen } from '../support/servers.ts';
import { HOUR } from '../support/service.ts';

test('over HTTP: claim, list, check, give up, with the number of looks bounded', async () => {
  const opened = await open({ rateLimits: 'off' });
  const { publish, service } = opened;
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  const path = `/domains/${HOST}`;
  expectProblem(await api.ask('POST', '/domains', { json: { domain: HOST } }), 401, 'unauthenticated');
  const made = await api.ask('POST', '/domains', { token, json: { domain: HOST } });
  expect([made.status, made.body['status']]).toEqual([201, 'pending']);
  const again = await api.ask('POST', '/domains', { token, json: { domain: HOST } });
  expect([again.status, again.body]).toEqual([200, made.body]);
  expectProblem(
    await api.ask('POST', '/domains', { token, json: { domain: `${HOST}%3A1` } }),
    400,
    'invalid_request',
  );
  expectProblem(await api.ask('POST', '/domains', { token, json: {} }), 400, 'invalid_request');
  for (let look = 0; look < 9; look += 1)
    expectProblem(await api.ask('POST', `${path}/check`, { token }), 409, 'conflict');
  publish(made.body as unknown as DomainClaim);
  const proven = await api.ask('POST', `${path}/check`, { token });
  expect([proven.status, proven.body['status']]).toEqual([200, 'proven']);
  const limited = await api.ask('POST', `${path}/check`, { token });
  expectProblem(limited, 429, 'rate_limited');
  expect(limited.headers.get('retry-after')).toBe('3600');
  const listed = await api.ask('GET', '/domains', { token });
  expect(listed.body['data']).toEqual([proven.body]);
  expectProblem(await api.ask('POST', '/domains/nobody.example/check', { token }), 404, 'not_found');

  const { agent_id } = await service.passports.create(input, { account_id });
  expectProblem(await api.ask('DELETE', path, { token }), 409, 'conflict');
  await service.revoke({ agent_id }, { account_id });
  expect((await api.ask('DELETE', path, { token })).status).toBe(204);
  expectProblem(await api.ask('DELETE', path, { token }), 404, 'not_found');
  expect(text(made, 'domain')).toBe(HOST);
});

test('domain_unproven says what to publish, over HTTP and in the client', async () => {
  const opened = await open({ domainProof: 'required' });
  const { service, publish } = opened;
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  const refused = await api.ask('POST', '/passports', { token, json: input });
  expectProblem(refused, 403, 'domain_unproven');
  const claim = (await api.ask('POST', '/domains', { token, json: { domain: HOST } })).body;
  const { token: proof, dns, https } = claim;
  expect(proof).toMatch(/^aid-/);
  expect(refused.body).toMatchObject({ token: proof, dns, https });
  const baseUrl = `${await listen(nodeListener(service))}/api`;
  const admin = createAdminClient({ baseUrl, accessToken: token });
  await expect(admin.passports.create(input)).rejects.toMatchObject({
    code: 'domain_unproven',
    details: { token: proof, dns, https },
  });
  publish(claim as unknown as DomainClaim);
  await api.ask('POST', `/domains/${HOST}/check`, { token });
  expect((await api.ask('POST', '/passports', { token, json: input })).status).toBe(201);
});

test('an account has 60 looks an hour over all its domains', async () => {
  const seen: string[] = [];
  const domainProver: DomainProver = {
    async txt(name) {
      seen.push(name);
      return [];
    },
    text: async () => '',
  };
  const { service, clock, ann } = await open({ domainProver });
  for (let index = 0; index < 61; index += 1) {
    await service.domains.claim(`a${index}.example`, ann);
    const code = index < 60 ? 'conflict' : 'rate_limited';
    await expect(service.domains.check(`a${index}.example`, ann)).rejects.toMatchObject({ code });
  }
  expect(seen).toHaveLength(60);
  clock.advance(HOUR);
  await expect(service.domains.check('a0.example', ann)).rejects.toMatchObject({ code: 'conflict' });
});

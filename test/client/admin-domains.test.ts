import { expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { nodeListener } from '../../src/http/index.ts';
import { HOST, input, openDomains } from '../core/domains/internet.ts';
import { listen } from '../support/servers.ts';
import { PASSWORD } from '../support/service.ts';

test('the admin client claims, proves, lists and gives up domains, with the records of the service', async () => {
  const { service, ann, publish } = await openDomains();
  const baseUrl = `${await listen(nodeListener(service))}/api`;
  const admin = createAdminClient({ baseUrl, email: 'ann@example.com', password: PASSWORD });
  const claim = await admin.domains.claim(HOST);
  expect(claim).toMatchObject({ domain: HOST, account_id: ann.account_id, status: 'pending' });
  expect(await admin.domains.claim(HOST)).toEqual(claim);
  await expect(admin.domains.check(HOST)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The token was not seen. DNS: not found. HTTPS: no answer.',
  });
  publish(claim);
  expect(await admin.domains.check(HOST)).toMatchObject({ domain: HOST, status: 'proven', method: 'dns' });
  expect(await admin.domains.list()).toEqual(await service.domains.list({}, ann));
  const { agent_id } = await admin.passports.create(input);
  await expect(admin.domains.release(HOST)).rejects.toMatchObject({ code: 'conflict' });
  await admin.revoke({ agent_id });
  expect(await admin.domains.release(HOST)).toBeUndefined();
  const domains: string[] = [];
  for await (const { data } of admin.domains.list()) domains.push(...data.map(({ domain }) => domain));
  expect(domains).toEqual([]);
  await expect(admin.domains.check(HOST)).rejects.toMatchObject({ code: 'not_found' });
  await expect(admin.domains.claim('Shop.example')).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an answer about another domain is refused', async () => {
  const answer = { domain: 'other.example', status: 'proven' };
  const fetch: typeof globalThis.fetch = async () => Response.json(answer, { status: 200 });
  const admin = createAdminClient({ baseUrl: 'http://localhost:1/api', accessToken: 'a.b.c', fetch });
  for (const call of [admin.domains.claim(HOST), admin.domains.check(HOST)]) {
    await expect(call).rejects.toMatchObject({ code: 'service_unreachable' });
  }
});

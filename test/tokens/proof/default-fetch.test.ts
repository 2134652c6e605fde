/** Where `verifyPassport` fetches from when the caller gives it no `fetch`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { verifyPassport } from '../../../src/tokens/proof/index.ts';
import { SECRET } from '../../support/service.ts';
import { openSigningService, shopper } from '../../support/signing.ts';

/** Counts what reaches a server on this machine. */
async function openTrap() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { asked, port: (server.address() as AddressInfo).port };
}

async function signed(publicUrl: string, domain: string) {
  const { service, clock } = openSigningService({
    identity: { secret: SECRET, publicUrl },
    allowLocalhost: true,
  });
  const { agent_id } = await service.passports.create(shopper({ domain }));
  const { token } = await service.passports.sign(agent_id);
  return { token, keys: await service.signing.jwks(), at: clock.now() };
}

const named = (problem: string) => ({
  code: 'invalid_token',
  details: { problem },
  cause: { name: 'SafeFetchError' },
});

test('a status list on this machine is not fetched for a domain: no connection', async () => {
  const { asked, port } = await openTrap();
  const { token, keys, at } = await signed(`http://localhost:${port}/api`, 'example.com');
  const issuers = ['did:web:example.com'];
  await expect(verifyPassport(token, { issuers, keys, at })).rejects.toMatchObject(named('status'));
  expect(asked).toEqual([]);
  // The caller may know better.
  const { fetch } = globalThis;
  await expect(verifyPassport(token, { issuers, keys, at, fetch })).rejects.toMatchObject({
    details: { problem: 'status' },
  });
  expect(asked).toHaveLength(1);
});

test.each(['https://127.0.0.1:8443', 'https://[::1]:8443', 'https://169.254.169.254', 'https://10.0.0.1'])(
  'a status list at %s is not fetched',
  async (origin) => {
    const { token, keys, at } = await signed(`${origin}/api`, 'example.com');
    const fetch = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => fetch.mockRestore());
    const checked = verifyPassport(token, { issuers: ['did:web:example.com'], keys, at });
    await expect(checked).rejects.toMatchObject(named('status'));
    expect(fetch).not.toHaveBeenCalled();
  },
);

test('the document of a domain is fetched by the same rules', async () => {
  const { token, at } = await signed('https://id.example.net/api', 'no-such-host.invalid');
  const fetch = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetch.mockRestore());
  const checked = verifyPassport(token, { issuers: ['did:web:no-such-host.invalid'], at });
  await expect(checked).rejects.toMatchObject(named('unresolved'));
  expect(fetch).not.toHaveBeenCalled();
});

test('for an issuer on localhost, which the caller has named, this machine is asked', async () => {
  const { asked, port } = await openTrap();
  const { token, keys, at } = await signed(`http://localhost:${port}/api`, 'localhost');
  const checked = verifyPassport(token, { issuers: ['did:web:localhost'], keys, at });
  await expect(checked).rejects.toMatchObject({ details: { problem: 'status' } });
  expect(asked).toHaveLength(1);
});

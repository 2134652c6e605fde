/** A server that demands permits behind `mcp-guard`, each in a process of its own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createIdentityService } from 'agent-identity-service';
import { nodeListener } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { expect, onTestFinished, test } from 'vitest';
import { identity } from '../../src/identity/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startProxy } from './proxy.ts';

const AUDIENCE = 'https://till.example';
const SERVER = fileURLToPath(new URL('permit-server.mjs', import.meta.url));

async function openTill() {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    capabilities: [identity({ secret: crypto.randomUUID(), publicUrl: 'https://id.example.com/api' })],
  });
  const { agent_id } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', allowed_actions: ['payments.create'] },
    ...{ monetary_limit_per_txn: 100, currency: 'EUR' },
  });
  const { key } = await service.keys.create({ name: 'proxy', scopes: ['verify', 'permit'] });
  const http = createServer(nodeListener(service)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(async () => {
    http.closeAllConnections();
    http.close();
    await service.close();
  });
  const keys = await service.signing.jwks();
  const terms = JSON.stringify({ issuers: ['did:web:example.com'], audience: AUDIENCE, keys });
  const permitOf = async (cents: number) => {
    const parameters = { amount: cents / 100, currency: 'EUR' };
    const intent = { agent_id, action: 'payments.create', parameters, permit: { audience: AUDIENCE } };
    return (await service.verify(intent)).permit ?? '';
  };
  /** Starts the proxy in front of a till of its own, by a rule with a permit or without. */
  const start = async (permit?: string) => {
    const pay = { action: 'payments.create', amount: '/cents', decimals: 2, currency: 'EUR' };
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const proxy = startProxy(
      { url, apiKey: key },
      {
        ...{ agent: agent_id, server: [process.execPath, SERVER, terms] },
        rules: { pay: { ...pay, ...(permit !== undefined && { permit }) } },
      },
    );
    const clientInfo = { name: 'agent', version: '1.0.0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    await proxy.ask({ id: 'start', method: 'initialize', params });
    proxy.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return proxy;
  };
  return { service, permitOf, start };
}

const pay = async (proxy: ReturnType<typeof startProxy>, id: number, cents: number, permit?: string) => {
  const _meta = { _meta: { 'agent-identity/permit': permit } };
  const params = { name: 'pay', arguments: { cents }, ...(permit !== undefined && _meta) };
  const { result } = await proxy.ask({ id, method: 'tools/call', params });
  return result as { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
};

test('a call is paid once by the permit of the proxy, whatever permit the client sends', async () => {
  const { service, permitOf, start } = await openTill();
  const proxy = await start(AUDIENCE);
  const own = await permitOf(1_000);
  for (const [id, sent] of [undefined, own, own, 'a.b.c'].entries()) {
    const { isError, content } = await pay(proxy, id, 1_000, sent);
    const [{ decision_id } = { decision_id: '' }] = (await service.verifications.list({ limit: 1 })).data;
    expect([isError, content]).toEqual([undefined, [{ type: 'text', text: decision_id }]]);
  }
  expect(await pay(proxy, 9, 10_001, own)).toMatchObject({ isError: true });
  const all = `${proxy.stderr()}${proxy.lines().join('')}`;
  for (const part of own.split('.')) expect(all).not.toContain(part);
});

test('a rule without a permit gets nothing from such a server, also with a permit of the client', async () => {
  const { permitOf, start } = await openTill();
  const proxy = await start();
  for (const [id, sent] of [undefined, await permitOf(1_000)].entries()) {
    const { isError, content } = await pay(proxy, id, 1_000, sent);
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('It is not a compact JWS')]);
  }
});

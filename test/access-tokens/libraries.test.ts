/** Libraries that know nothing of this service get tokens, check them, and carry them to MCP servers. */
import { Client, PrivateKeyJwtProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { PrivateKeyJwtProvider as OldProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { exportJWK } from 'jose';
import * as oauth from 'oauth4webapi';
import {
  clientCredentialsGrant,
  customFetch,
  discovery,
  getDPoPHandle,
  PrivateKeyJwt,
  randomDPoPKeyPair,
} from 'openid-client';
import { expect, test } from 'vitest';
import { openResource } from './mcp-server.ts';
import { ISSUER, makeKeyPair, openIssuer, RESOURCE } from './stage.ts';

const ALGORITHMS = ['EdDSA', 'ES256'] as const;
const GENERATIONS = [1, 2] as const;
const CASES = ALGORITHMS.flatMap((alg) => GENERATIONS.map((generation) => ({ alg, generation })));
const INFO = { name: 'agent', version: '1.0.0' };

test.each(CASES)(
  'both MCP clients get a token of $alg by themselves, and a server of generation $generation knows the agent',
  async ({ alg, generation }) => {
    const { key, agent_id, resource, fetch } = await openResource({ alg, generation });
    const options = {
      clientId: agent_id,
      privateKey: { ...(await exportJWK(key.privateKey)), alg } as never,
      algorithm: alg,
      expectedIssuer: ISSUER,
      scope: 'orders.read',
    };
    const client = new Client(INFO);
    const authProvider = new PrivateKeyJwtProvider(options);
    await client.connect(new StreamableHTTPClientTransport(new URL(resource), { authProvider, fetch }));
    const old = new OldClient(INFO);
    const oldProvider = new OldProvider(options);
    await old.connect(new OldTransport(new URL(resource), { authProvider: oldProvider, fetch }) as never);
    for (const one of [client, old]) {
      const { content } = await one.callTool({ name: 'whoami', arguments: {} });
      expect(content).toEqual([{ type: 'text', text: agent_id }]);
      await one.close();
    }
  },
);

test.each(ALGORITHMS.flatMap((alg) => [false, true].map((isBound) => ({ alg, isBound }))))(
  'openid-client finds the issuer and gets a token with $alg, bound: $isBound',
  async ({ alg, isBound }) => {
    const { issue, fetch } = openIssuer();
    const key = await makeKeyPair(alg);
    const { agent_id } = await issue([key]);
    const auth = PrivateKeyJwt({ key: key.privateKey, kid: key.kid });
    const config = await discovery(new URL(ISSUER), agent_id, undefined, auth, {
      algorithm: 'oauth2',
      [customFetch]: fetch as never,
    });
    const dpop = isBound ? { DPoP: getDPoPHandle(config, await randomDPoPKeyPair('ES256')) } : {};
    const answer = await clientCredentialsGrant(config, { resource: RESOURCE, scope: 'orders.read' }, dpop);
    expect(answer).toMatchObject({ token_type: isBound ? 'dpop' : 'bearer', scope: 'orders.read' });
  },
);

test.each(ALGORITHMS.flatMap((alg) => [false, true].map((isBound) => ({ alg, isBound }))))(
  'oauth4webapi gets a token with $alg, checks it and asks about it, bound: $isBound',
  async ({ alg, isBound }) => {
    const { issue, fetch, service } = openIssuer();
    const key = await makeKeyPair(alg);
    const { agent_id } = await issue([key]);
    const custom = { [oauth.customFetch]: fetch as never };
    const found = await oauth.discoveryRequest(new URL(ISSUER), { algorithm: 'oauth2', ...custom });
    const issuer = await oauth.processDiscoveryResponse(new URL(ISSUER), found);
    const client = { client_id: agent_id };
    const holder = isBound ? await oauth.generateKeyPair(alg === 'EdDSA' ? 'Ed25519' : alg) : undefined;
    const DPoP = holder && oauth.DPoP({}, holder);
    const answered = await oauth.clientCredentialsGrantRequest(
      issuer,
      client,
      oauth.PrivateKeyJwt({ key: key.privateKey, kid: key.kid }),
      { resource: RESOURCE, scope: 'orders.read' },
      { ...custom, ...(DPoP && { DPoP }) },
    );
    const token = await oauth.processClientCredentialsResponse(issuer, client, answered);
    expect(token).toMatchObject({ token_type: isBound ? 'dpop' : 'bearer', scope: 'orders.read' });

    let asked: Request | undefined;
    await oauth.protectedResourceRequest(
      token.access_token,
      'GET',
      new URL(RESOURCE),
      new Headers(),
      undefined,
      {
        ...(DPoP && { DPoP }),
        [oauth.customFetch]: async (url: string, init: RequestInit) => {
          asked = new Request(url, init);
          return new Response();
        },
      } as never,
    );
    const claims = await oauth.validateJwtAccessToken(issuer, asked as Request, RESOURCE, custom);
    expect(claims).toMatchObject({ client_id: agent_id, scope: 'orders.read' });

    const { id, key: secret } = await service.keys.create(
      { name: 'resource', scopes: ['verify'] },
      { account_id: 'acc_1' },
    );
    const resource = { client_id: id };
    const told = await oauth.introspectionRequest(
      issuer,
      resource,
      oauth.ClientSecretBasic(`${secret}`),
      token.access_token,
      custom,
    );
    const introspected = await oauth.processIntrospectionResponse(issuer, resource, told);
    expect(introspected).toMatchObject({ active: true, client_id: agent_id, scope: 'orders.read' });
  },
);

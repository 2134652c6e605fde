/** A mistake in the set-up is said at once, with what to do. */

import express from 'express';
import { describe, expect, test } from 'vitest';
import { identityRouter } from '../../adapters/express/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { unsupportedNode } from '../../src/base/node-version.ts';
import { createIdentityClient } from '../../src/client.ts';
import { createIdentityService, type IdentityServiceOptions } from '../../src/core.ts';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import { replay } from '../../src/replay/index.ts';
import { defaultRules } from '../../src/verdict/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { listen } from '../support/servers.ts';

function refusal(make: () => unknown): { readonly code: unknown; readonly message: string } {
  try {
    make();
  } catch (error) {
    const { code, message } = error as { readonly code: unknown; readonly message: string };
    return { code, message };
  }
  throw new Error('Nothing was refused.');
}

const service = (options: object) => () => createIdentityService(options as IdentityServiceOptions);
const storage = memoryStorage();

describe('createIdentityService refuses', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'no options',
      () => createIdentityService(undefined as unknown as IdentityServiceOptions),
      /needs options/,
    ],
    ['no storage', service({}), /storage is missing.*memoryStorage\(\)/],
    ['a storage that was not awaited', service({ storage: sqliteStorage({ file: ':memory:' }) }), /await it/],
    ['a storage that was not called', service({ storage: memoryStorage }), /call it/],
    ['a storage that is a URL', service({ storage: 'sqlite:a.db' }), /is not a storage/],
    ['rule', service({ storage, rule: [] }), /no option "rule". Did you mean rules\?/],
    ['consistancy', service({ storage, consistancy: 'strict' }), /Did you mean consistency\?/],
    ['retentiondays', service({ storage, retentiondays: 7 }), /Did you mean retentionDays\?/],
    [
      'proofMaxSecond',
      service({ storage, proofMaxSecond: 30 }),
      /there is no option "proofMaxSecond". Did you mean proofMaxSeconds\?$/,
    ],
    ['identity', service({ storage, identity: {} }), /List identity\(\{ … \}\) in options.capabilities/],
    [
      'session.previousSecrets',
      service({ storage, session: { previousSecrets: [] } }),
      /session.previousSecret\?/,
    ],
    [
      'webhooks',
      service({ storage, webhooks: {} }),
      /List webhooks\(\{ transport \}\) in options.capabilities/,
    ],
    ['oidc', service({ storage, oidc: {} }), /List people\(\{ oidc \}\) in options.capabilities/],
    ['authzen', service({ storage, authzen: true }), /List authzen\(\) in options.capabilities/],
    ['capabilities', service({ storage, capabilities: {} }), /capabilities must be a list/],
    ['a capability', service({ storage, capabilities: [replay] }), /no capability: call it/],
    ['a capability twice', service({ storage, capabilities: [replay(), replay()] }), /has replay twice/],
    ['an option that is like none', service({ storage, xyz: 1 }), /there is no option "xyz"\.$/],
    [
      'rules that are no functions',
      service({ storage, rules: [...defaultRules, 'mine'] }),
      /rules\[14\] is not a function/,
    ],
    ['registration: yes', service({ storage, registration: 'yes' }), /open or closed/],
    ['allowLocalhost: 1', service({ storage, allowLocalhost: 1 }), /allowLocalhost must be a boolean/],
    ['onVerdict that is no function', service({ storage, onVerdict: {} }), /onVerdict must be a function/],
    ['rateLimits: false', service({ storage, rateLimits: false }), /on or off/],
    [
      'a deadline of nothing',
      service({ storage, storageDeadlineMs: 0 }),
      /storageDeadlineMs must be a whole number/,
    ],
  ])('%s', (_, make, message) => {
    const refused = refusal(make);
    expect(refused.code).toBe('invalid_configuration');
    expect(refused.message).toMatch(message);
  });

  test('and takes every option that is undefined for one that is not given', () => {
    const names = [
      'session',
      'registration',
      'rules',
      'plans',
      'cache',
      'log',
      'onVerdict',
      'storageDeadlineMs',
    ];
    const options = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(service({ storage, ...options })).not.toThrow();
  });
});

test.each<[string, object, RegExp]>([
  ['without a key', { baseUrl: 'http://a/api', apiKey: undefined }, /apiKey is not an API key/],
  ['without a URL', { apiKey: 'k' }, /baseUrl is not an http/],
  ['with baseURL', { baseURL: 'http://a/api', baseUrl: 'http://a/api', apiKey: 'k' }, /Did you mean baseUrl/],
])('createIdentityClient refuses options %s', (_, options, message) => {
  const refused = refusal(() => createIdentityClient(options as Parameters<typeof createIdentityClient>[0]));
  expect(refused.code).toBe('invalid_configuration');
  expect(refused.message).toMatch(message);
});

test('a router that was not called says so to the first request, which does not hang', async () => {
  const app = express();
  app.use('/api', identityRouter as unknown as express.RequestHandler);
  let seen: unknown;
  const tell: express.ErrorRequestHandler = (error, _request, response, _next) => {
    seen = error;
    response.status(500).end();
  };
  app.use(tell);
  const origin = await listen(app);
  expect((await fetch(`${origin}/api/health/live`)).status).toBe(500);
  expect(seen).toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringMatching(/identityRouter\(service\)/),
  });
  for (const face of [fetchHandler, nodeListener])
    expect(refusal(() => face(undefined as never)).code).toBe('invalid_configuration');
});

test('after close every call says that the service is closed', async () => {
  const closed = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
  await closed.close();
  const is = { code: 'storage_unavailable', message: 'The service is closed.' };
  await expect(closed.verify({ agent_id: 'did:web:a.example:agents:a', action: 'a' })).rejects.toMatchObject(
    is,
  );
  await expect(closed.passports.list()).rejects.toMatchObject(is);
  await expect(closed.keys.create({ name: 'a' })).rejects.toMatchObject(is);
  await expect(closed.health()).rejects.toMatchObject(is);
  await expect(closed.close()).resolves.toBeUndefined();
});

test.each<[string, boolean]>([
  ['18.20.4', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.0.0', true],
  ['26.1.0', true],
])('Node %s is supported: %s', (node, isSupported) => {
  expect(unsupportedNode({ node }) === undefined).toBe(isSupported);
  expect(unsupportedNode({ node, bun: '1.4.5' })).toBeUndefined();
  expect(unsupportedNode({})).toBeUndefined();
});

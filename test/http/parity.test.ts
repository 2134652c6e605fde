import express from 'express';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identityRouter, keepRawBody } from '../../adapters/express/index.ts';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import { createIdentityClient, IdentityError, type Intent } from '../../src/index.ts';
import { makeKey, openApi, signIn, toRequest } from '../support/api.ts';
import { questions } from '../support/intents.ts';
import { putPassport } from '../support/put-passport.ts';
import { sized } from '../support/runs.ts';
import { listen, listenExpress } from '../support/servers.ts';
import { openService } from '../support/service.ts';

const RUNS = sized(1_000, 100);

/** The verdict record without what differs from asking to asking, or the error. */
type Outcome = Readonly<Record<string, unknown>>;

test('every binding gives the same verdict, or the same refusal', async () => {
  const opened = openService();
  const { service, storage } = opened;
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  const { key } = await makeKey(api, token);

  const node = `${await listen(nodeListener(service))}/api`;
  const mounted = `${await listenExpress((app) => app.use('/api', identityRouter(service)))}/api`;
  const parsed = `${await listenExpress((app) => {
    app.use(express.json({ verify: keepRawBody }));
    app.use('/deep/path', identityRouter(service));
  })}/deep/path`;
  const client = createIdentityClient({ baseUrl: node, apiKey: key });
  const handle = fetchHandler(service);
  const ask = (json: unknown, origin?: string) => toRequest('POST', '/verify', { key, json }, origin);
  const faces: Readonly<Record<string, (intent: Intent) => Promise<Outcome>>> = {
    verify: (intent) => called(() => service.verify(intent, { account_id })),
    'verify of the application': (intent) => called(() => service.verify(intent)),
    verifyAs: (intent) => called(() => service.verifyAs(key, intent)),
    verifyBatch: (intent) => called(async () => (await service.verifyBatch({ intents: [intent] }))[0]),
    fetch: async (intent) => answered(await handle(ask(intent))),
    node: async (intent) => answered(await fetch(ask(intent, node))),
    express: async (intent) => answered(await fetch(ask(intent, mounted))),
    'express behind a parser': async (intent) => answered(await fetch(ask(intent, parsed))),
    client: (intent) => called(() => client.verify(intent)),
  };

  const seen = { ALLOW: 0, DENY: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(questions, async ({ passport, intent }) => {
      await putPassport(storage, { ...passport, account_id });
      const outcomes = await Promise.all(
        Object.entries(faces).map(async ([name, face]) => [name, await face(intent)] as const),
      );
      const [, expected] = outcomes[0] ?? [];
      for (const [name, outcome] of outcomes) {
        const pathless = name === 'verifyBatch' ? withoutPrefix(outcome) : outcome;
        expect({ name, outcome: pathless }).toEqual({ name, outcome: expected });
      }
      seen[(expected?.['verdict'] as 'ALLOW' | 'DENY' | undefined) ?? 'refused'] += 1;
    }),
    { numRuns: RUNS, seed: 20261130 },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(RUNS / 50);
});

async function called(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    return comparable(await call());
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return { code: error.code, errors: error.details.errors };
  }
}

async function answered(response: Response): Promise<Outcome> {
  const body = await response.json();
  return response.status === 200 ? comparable(body) : { code: body.code, errors: body.errors };
}

function comparable(record: unknown): Outcome {
  const { decision_id: _, key_id: __, request_id: ___, ...rest } = JSON.parse(JSON.stringify(record));
  return rest;
}

function withoutPrefix(outcome: Outcome): Outcome {
  return JSON.parse(JSON.stringify(outcome).replaceAll('"path":"/intents/0', '"path":"'));
}

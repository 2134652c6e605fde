/** Whatever is asked over HTTP, a local verifier answers as the service does. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fetchHandler } from '../../src/http/index.ts';
import type { Intent } from '../../src/records.ts';
import type { OwnedPassport } from '../../src/testing/arbitraries.ts';
import { toRequest } from '../support/api.ts';
import { questions } from '../support/intents.ts';
import { sized } from '../support/runs.ts';
import { inputOf } from './passport-input.ts';
import { hostWith, keyOf, open, wireTo } from './stage.ts';

const RUNS = sized(1_000, 25);

const SOME_OWN = new Set(['decision_id', 'evaluated_at', 'request_id', 'verifier']);

/** An answer without what differs from asking to asking. */
async function comparable(answer: Response) {
  const own = (name: string, value: unknown) => (SOME_OWN.has(name) ? undefined : value);
  const body = JSON.parse(await answer.text(), own);
  return { status: answer.status, type: answer.headers.get('content-type'), body };
}

test('every intent of the tests of the bindings, one by one and in a batch', {
  timeout: 120_000,
}, async () => {
  const service = open({ rateLimits: 'off', authzen: {} });
  const key = await keyOf(service);
  const host = hostWith({ apiKey: key, fetch: wireTo(service).fetch, authzen: {} });
  const [there, here] = [fetchHandler(service), fetchHandler(host)];
  const seen = { ALLOW: 0, DENY: 0, refused: 0 };
  let count = 0;

  async function issue(passport: OwnedPassport): Promise<string> {
    count += 1;
    const given = inputOf(passport, `a-${count}`);
    const issued = await service.passports.create(given).catch(() => undefined);
    if (issued === undefined) return passport.agent_id;
    const { agent_id } = issued;
    if (passport.status === 'revoked') await service.revoke({ agent_id });
    if (passport.status === 'suspended') await service.suspend({ agent_id });
    return agent_id;
  }

  await fc.assert(
    fc.asyncProperty(questions, async ({ passport, intent: asked }) => {
      const agent_id = await issue(passport);
      const intent = (asked.agent_id === passport.agent_id ? { ...asked, agent_id } : asked) as Intent;
      const { action, parameters } = intent;
      const question = {
        ...{ subject: { type: 'agent', id: agent_id }, resource: { type: 'any', id: '1' } },
        action: { name: action, properties: parameters },
      };
      for (const [path, json] of [
        ['/verify', intent],
        ['/verify/batch', { intents: [intent, { ...intent, dry_run: true }] }],
        ['/access/v1/evaluation', question],
        ['/access/v1/evaluations', { evaluations: [question, question] }],
      ] as const) {
        const ask = () => toRequest('POST', path, { key, json });
        const expected = await comparable(await there(ask()));
        expect([path, await comparable(await here(ask()))]).toEqual([path, expected]);
        const verdict = expected.body.verdict as 'ALLOW' | 'DENY' | undefined;
        if (path === '/verify') seen[verdict ?? 'refused'] += 1;
      }
    }),
    { numRuns: RUNS, seed: 20261127 },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(RUNS / 50 - 1);
  expect(host.state().decided).toBeGreaterThan(host.state().asked);
});

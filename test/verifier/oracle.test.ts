/** A local verifier decides as the textbook of the rules does: chains, keys for some agents, both environments. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { Environment } from '../../src/records.ts';
import type { OwnedPassport } from '../../src/testing/arbitraries.ts';
import { ancestorId, type ChainQuestion, chainCodes, familyArbitrary, QUESTIONS } from '../support/chains.ts';
import { putPassport } from '../support/put-passport.ts';
import { nightly, sized } from '../support/runs.ts';
import { manualClock } from '../support/service.ts';
import { open, verifierWith, wireTo } from './stage.ts';

/** Questions, of which a family is asked `QUESTIONS`. */
const RUNS = nightly(400_000, sized(10_000, 1_000));
const TIMEOUT_MS = 3_600_000;
const AGENT = 'did:web:shop.example.com:agents:buyer';
const UNKNOWN = 'did:web:shop.example.com:agents:unknown';

/** What the keys of the verifiers see, and their environments. */
const SIGHTS: readonly (readonly [Environment, readonly string[] | null])[] = [
  ['live', null],
  ['test', null],
  ['live', [AGENT]],
  ['live', [ancestorId(0)]],
];

test(`evaluates chains like the textbook, ${RUNS} questions`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const service = open({ clock, storage });
  const { fetch } = wireTo(service);
  const verifiers = await Promise.all(
    SIGHTS.map(async ([environment, agent_ids]) => {
      const scopes = ['verify', 'decide'] as const;
      const input = { name: 'verifier', scopes, environment, ...(agent_ids && { agent_ids }) };
      const { key: apiKey } = await service.keys.create(input);
      return { verifier: verifierWith({ apiKey, fetch, clock }), environment, agent_ids };
    }),
  );
  const seen = new Map<string, number>();
  let version = 0;
  let asked = 0;

  /** The question as it stands in the storage: nothing of it takes anything. */
  function stored({ passport, ancestors, intent }: ChainQuestion): ChainQuestion {
    const own = (given: OwnedPassport): OwnedPassport => {
      const { budgets: _, approval: __, proof: ___, ...rest } = given;
      return { ...rest, account_id: 'acc_local', version };
    };
    const agent_id = intent.agent_id === passport.agent_id ? AGENT : UNKNOWN;
    return {
      passport: { ...own(passport), agent_id: AGENT },
      ancestors: ancestors.map(own),
      intent: { ...intent, agent_id },
      ...{ at: clock.now(), caller: null },
    };
  }

  await fc.assert(
    fc.asyncProperty(familyArbitrary(), async ({ questions }) => {
      version += 1;
      // What was read before is too old after it.
      clock.advance(1_000);
      const [first] = questions.map(stored);
      for (const passport of first ? [first.passport, ...first.ancestors] : [])
        await putPassport(storage, passport);
      for (const [place, given] of questions.entries()) {
        const question = stored(given);
        const { verifier, environment, agent_ids } = verifiers[place % verifiers.length] ?? expect.fail();
        const intent = JSON.parse(JSON.stringify(question.intent));
        const record = await verifier.verify(intent).catch(({ code }) => code);
        if (record === 'invalid_request') continue;
        const codes = record.reasons.map(({ code, reason }: { code: string; reason?: string }) =>
          code === 'parent_denied' ? `${code} ${reason}` : code,
        );
        const caller = agent_ids === null ? null : { agent_ids };
        // The textbook is asked about what JSON carried: an infinite amount is `null` then.
        expect([codes, environment]).toEqual([
          chainCodes({ ...question, intent, caller }),
          record.environment,
        ]);
        asked += 1;
        const kind = codes[0]?.split(' ')[0] ?? 'ALLOW';
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    }),
    { numRuns: RUNS / QUESTIONS },
  );
  expect(asked).toBeGreaterThan(RUNS / 2);
  for (const kind of ['ALLOW', 'parent_denied', 'agent_not_found'])
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(RUNS / 200);
  for (const { verifier } of verifiers) expect(verifier.state()).toMatchObject({ asks: null, asked: 0 });
});

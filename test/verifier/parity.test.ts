/** A local verifier answers what the service answers: the same verdicts, reasons and records, and the same errors. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Intent, VerdictRecord } from '../../src/records.ts';
import { intentArbitrary, passportArbitrary } from '../../src/testing/arbitraries.ts';
import { cases } from '../support/runs.ts';
import { inputOf } from './passport-input.ts';
import { keyOf, open, verifierWith, wireTo } from './stage.ts';
import '../support/seed.ts';

const plain = (record: VerdictRecord) => ({
  ...record,
  ...{ decision_id: '', evaluated_at: '', request_id: null, verifier: null },
});
const outcome = (answer: Promise<VerdictRecord>) =>
  answer.then(plain, ({ code, message, details }) => ({ code, message, details }));

test('over random passports, their child agents and intents', { timeout: 120_000 }, async () => {
  const service = open({ rateLimits: 'off' });
  const wire = wireTo(service);
  const verifiers = await Promise.all(
    [{ scopes: ['verify', 'decide'] as const }].map(async (input) => {
      const apiKey = await keyOf(service, input);
      return { apiKey, verifier: verifierWith({ apiKey, fetch: wire.fetch }) };
    }),
  );
  let count = 0;
  let issued = 0;
  let allowed = 0;
  const state = fc.constantFrom('active', 'active', 'suspended', 'revoked');
  const question = fc.tuple(passportArbitrary(), passportArbitrary()).chain(([own, above]) => {
    const intents = fc.array(fc.oneof(intentArbitrary(own), intentArbitrary(above)), {
      minLength: 2,
      maxLength: 6,
    });
    return fc.tuple(fc.constant(own), fc.constant(above), fc.boolean(), state, intents);
  });
  await fc.assert(
    fc.asyncProperty(question, async ([own, above, isChild, status, intents]) => {
      count += 1;
      const parent = isChild
        ? await service.passports.create(inputOf(above, `p-${count}`)).catch(() => undefined)
        : undefined;
      const more = parent && { parent_agent_id: parent.agent_id };
      const passport = await service.passports
        .create({ ...inputOf(own, `a-${count}`), ...more })
        .catch(() => undefined);
      if (passport === undefined) return;
      issued += 1;
      const { agent_id } = passport;
      if (status === 'suspended') await service.suspend({ agent_id });
      if (status === 'revoked') await service.revoke({ agent_id });
      for (const given of intents) {
        const intent = { ...given, agent_id } as Intent;
        for (const { apiKey, verifier } of verifiers) {
          const there = await outcome(service.verifyAs(apiKey, JSON.parse(JSON.stringify(intent))));
          const here = await outcome(verifier.verify(JSON.parse(JSON.stringify(intent))));
          expect(here).toEqual(there);
          if ('verdict' in there && there.verdict === 'ALLOW') allowed += 1;
        }
      }
    }),
    { numRuns: cases(5_000) },
  );
  expect(issued / count).toBeGreaterThan(0.3);
  expect(allowed).toBeGreaterThan(0);
  for (const { verifier } of verifiers) expect(verifier.state().decided).toBeGreaterThan(0);
});

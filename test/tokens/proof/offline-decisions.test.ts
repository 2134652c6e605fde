import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IdentityService, Intent, PassportInput } from '../../../src/index.ts';
import { intentArbitrary, type OwnedPassport, passportArbitrary } from '../../../src/testing/arbitraries.ts';
import { verifyPassport } from '../../../src/tokens/proof/index.ts';
import { decide } from '../../../src/verdict/index.ts';
import { nightly, sized } from '../../support/runs.ts';
import { HOUR } from '../../support/service.ts';
import { ISSUER, openSigningService } from '../../support/signing.ts';

const PER_PASSPORT = 50;
const INTENTS = nightly(100_000, sized(5_000, 1_000));

const FIELDS = [
  'allowed_actions',
  'denied_actions',
  'monetary_limit_per_txn',
  'currency',
  'allowed_targets',
  'monetary_actions',
] as const;

/** The same rules for an agent that is active now. */
function inputOf(passport: OwnedPassport, agent_name: string): PassportInput {
  const fields = FIELDS.filter((name) => passport[name] !== undefined).map((name) => [name, passport[name]]);
  return { domain: 'example.com', agent_name, ...Object.fromEntries(fields) };
}

/** The reasons of the service; `undefined` for what it refuses as no intent. */
async function reasonsOf(service: IdentityService, intent: Intent) {
  try {
    return (await service.verify(intent)).reasons;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return undefined;
  }
}

const questions = passportArbitrary().chain((passport) =>
  fc.tuple(
    fc.constant(passport),
    fc.array(intentArbitrary(passport), { minLength: PER_PASSPORT, maxLength: PER_PASSPORT }),
  ),
);

test(`offline and online verdicts are the same for ${INTENTS} intents`, {
  timeout: nightly(3_600_000, 120_000),
}, async () => {
  const { service, clock } = openSigningService();
  const keys = await service.signing.jwks();
  const seen = { ALLOW: 0, DENY: 0, refused: 0 };
  let count = 0;
  await fc.assert(
    fc.asyncProperty(questions, async ([stored, intents]) => {
      count += 1;
      const validity =
        count % 2 === 0 ? {} : { not_before: clock.instant(-HOUR), expires_at: clock.instant(HOUR / 2) };
      const input = { ...inputOf(stored, `agent-${count}`), ...validity };
      const { agent_id } = await service.passports.create(input);
      const { token } = await service.passports.sign(agent_id);
      const at = clock.now();
      const passport = await verifyPassport(token, { issuers: [ISSUER], keys, status: false, at });
      for (const given of intents) {
        const intent = given.agent_id === stored.agent_id ? { ...given, agent_id } : given;
        const online = await reasonsOf(service, intent);
        if (online === undefined) {
          seen.refused += 1;
          continue;
        }
        const offline = decide({ passport, intent, at });
        expect(offline.reasons).toEqual(online);
        seen[offline.verdict] += 1;
      }
    }),
    { numRuns: INTENTS / PER_PASSPORT },
  );
  expect(seen.ALLOW).toBeGreaterThan(INTENTS / 100);
  expect(seen.DENY).toBeGreaterThan(INTENTS / 10);
});

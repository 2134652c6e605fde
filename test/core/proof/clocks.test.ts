/** Nodes whose clocks are up to five seconds off, and a store that forgets counters: no proof is allowed twice. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createProofCheck } from '../../../src/core/verification/proof-check.ts';
import { createIntentSigner } from '../../../src/tokens/proof/sign-intent.ts';
import { toAgentKey } from '../../../src/tokens/signing/public-key.ts';
import type { Passport } from '../../../src/types.ts';
import { AUDIENCE, ED25519, PAYMENT } from '../../support/prover.ts';
import { cases } from '../../support/runs.ts';
import { START } from '../../support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const check = createProofCheck({ audiences: [AUDIENCE], maxSeconds: 300 });
const passport = {
  agent_id: AGENT,
  proof: 'intent',
  public_keys: [toAgentKey(ED25519.public_jwk)],
} as unknown as Passport;
const intent = { ...PAYMENT, agent_id: AGENT };
const iat = START / 1_000;

test('clocks of plus and minus five seconds never let a proof be used twice, whatever is purged', async () => {
  const step = fc.record({
    // By the right clock, behind the step before.
    laterMs: fc.oneof(fc.nat(40_000), fc.nat(1_000)),
    offMs: fc
      .integer({ min: -5_000, max: 5_000 })
      .map((off) => (off % 3 === 0 ? Math.sign(off) * 5_000 : off)),
    purges: fc.boolean(),
  });
  const seconds = fc.integer({ min: 1, max: 300 });
  let allowedOnce = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 20 }), seconds, async (steps, lasting) => {
      const storage = memoryStorage();
      const options = { key: ED25519.private_jwk, agent_id: AGENT, audience: AUDIENCE, seconds: lasting };
      const proof = await createIntentSigner(options).sign(PAYMENT, { iat });
      let allowed = 0;
      let right = START;
      for (const { laterMs, offMs, purges } of steps) {
        right += laterMs;
        const at = right + offMs;
        const instant = new Date(at).toISOString();
        if (purges) await storage.purge('counters', instant, instant);
        const { fact, takings } = await check(proof, { passport, intent, at });
        if (fact.state !== 'valid') continue;
        const { written } = await storage.write(takings.map(({ change }) => change));
        if (written) allowed += 1;
      }
      expect(allowed).toBeLessThanOrEqual(1);
      allowedOnce += allowed;
    }),
    { numRuns: cases(1_000) },
  );
  expect(allowedOnce).toBeGreaterThan(0);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatInstant } from '../../../src/base/values/instant.ts';
import { isLive, type KeyInstants, signingKeyAt, stateAt } from '../../../src/tokens/signing/key-state.ts';

const instant = fc.integer({ min: 0, max: 20 }).map((seconds) => formatInstant(seconds * 1_000));
const keys = fc.uniqueArray(
  fc.record<KeyInstants>({
    kid: fc.stringMatching(/^[a-z]{3}$/),
    purpose: fc.constant('passport'),
    not_before: instant,
    retire_at: fc.option(instant),
    revoked_at: fc.option(instant),
  }),
  { selector: ({ kid }) => kid, maxLength: 6 },
);

test('a key signs exactly if one is live, it is live, and every order of the keys gives the same', () => {
  fc.assert(
    fc.property(keys, instant, (known, at) => {
      const signing = signingKeyAt(known, 'passport', at);
      expect(signing !== undefined).toBe(known.some((key) => isLive(key, at)));
      expect(signingKeyAt([...known].reverse(), 'passport', at)).toBe(signing);
      if (signing === undefined) return;
      expect(isLive(signing, at)).toBe(true);
      const begun = known.filter((key) => isLive(key, at) && key.not_before <= at);
      for (const key of begun) expect(signing.not_before >= key.not_before).toBe(true);
    }),
  );
});

test('each key has one state, one of them signs, and the dead ones are retired or revoked', () => {
  fc.assert(
    fc.property(keys, instant, (known, at) => {
      const states = known.map((key) => stateAt(key, known, at));
      expect(states.filter((state) => state === 'signing').length).toBe(
        known.some((key) => isLive(key, at)) ? 1 : 0,
      );
      for (const [index, key] of known.entries()) {
        if (key.revoked_at !== null) expect(states[index]).toBe('revoked');
        else if (!isLive(key, at)) expect(states[index]).toBe('retired');
        else if (states[index] === 'published') expect(key.not_before > at).toBe(true);
      }
    }),
  );
});

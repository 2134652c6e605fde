import { describe, expect, test } from 'vitest';
import { compare } from '../../../src/verdict/compare/index.ts';
import { nightly, seedOf, sized } from '../../support/runs.ts';
import { allowedBy, asked, worldFor } from './oracle.ts';
import { changed, createDraw, passportOf } from './random-pairs.ts';

const PAIRS = nightly(200_000, sized(5_000, 60));
const QUESTIONS = nightly(500, 200);

describe('a comparison of random passports', () => {
  test('names every widening and narrowing that a random search finds', { timeout: 3_600_000 }, () => {
    const seed = seedOf(20261124);
    const draw = createDraw(seed);
    let [allowed, questions] = [0, 0];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const before = passportOf(draw);
      const after = draw.chance(0.1) ? passportOf(draw) : changed(draw, before);
      const { wider, narrower } = compare(before, after);
      const sides = [asked(before), asked(after)] as const;
      for (let question = 0; question < QUESTIONS; question += 1) {
        const world = worldFor(draw, sides);
        const [earlier, later] = allowedBy(world, sides);
        questions += 1;
        if (earlier || later) allowed += 1;
        if (earlier === later) continue;
        const named = later ? wider : narrower;
        if (named.length === 0) expect.fail(JSON.stringify({ seed, before, after, world, later }, null, 1));
      }
    }
    expect(allowed / questions).toBeGreaterThan(0.1);
  });
});

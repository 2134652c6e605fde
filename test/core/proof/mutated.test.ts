/** Proofs that were changed in any way are not accepted: 1,000,000 of them by night. */
import { expect, test } from 'vitest';
import { createRandom } from '../../../bench/lib/random.mjs';
import { createProofCheck } from '../../../src/core/verification/proof-check.ts';
import { nightly, sized } from '../../support/runs.ts';
import { questionOf, VECTORS } from '../../tokens/proof/vectors.ts';

const MUTANTS = nightly(1_000_000, sized(20_000, 1_500));
const AT_ONCE = 500;

const { service, vectors } = VECTORS;
const check = createProofCheck({ audiences: service.audiences, maxSeconds: service.max_seconds });
const valid = vectors.filter(({ state }) => state === 'valid');
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n{}"';

type Random = () => number;

const below = (random: Random, end: number): number => Math.floor(random() * end);
const oneOf = <Item>(random: Random, list: readonly Item[]): Item => list[below(random, list.length)] as Item;

/** The text with one place changed, taken out, put in, doubled or swapped. */
function mutatedText(text: string, random: Random): string {
  const at = below(random, text.length);
  const letter = ALPHABET[below(random, ALPHABET.length)] ?? 'A';
  const [head, tail] = [text.slice(0, at), text.slice(at + 1)];
  switch (below(random, 5)) {
    case 0:
      return head + letter + tail;
    case 1:
      return head + tail;
    case 2:
      return head + letter + text.slice(at);
    case 3:
      return head + text.slice(at, at + below(random, 20)) + text.slice(at);
    default:
      return head + (tail[0] ?? '') + (text[at] ?? '') + tail.slice(1);
  }
}

/** A part of the proof with a bit flipped, or its JSON changed, in its place. */
function mutatedPart(proof: string, other: string, random: Random): string {
  const parts = proof.split('.');
  const index = below(random, 3);
  const bytes = Buffer.from(parts[index] ?? '', 'base64url');
  const kind = below(random, 3);
  if (kind === 0) bytes[below(random, bytes.length)] = (bytes[0] ?? 0) ^ (1 << below(random, 8));
  const json = mutatedText(bytes.toString('utf8'), random);
  const changed = kind === 0 ? bytes.toString('base64url') : Buffer.from(json).toString('base64url');
  parts[index] = kind === 2 ? (other.split('.')[index] ?? '') : changed;
  return parts.join('.');
}

test(`${MUTANTS} mutated proofs: none is accepted`, { timeout: nightly(3_600_000, 120_000) }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = createRandom(seed);
  const problems = new Map<string, number>();
  const accepted: string[] = [];
  for (let done = 0; done < MUTANTS; done += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const vector = oneOf(random, valid);
        const other = oneOf(random, valid).proof;
        const { proof } = vector;
        const mutant =
          below(random, 2) === 0 ? mutatedText(proof, random) : mutatedPart(proof, other, random);
        const { fact } = await check(mutant, questionOf(vector));
        const what = fact.state === 'invalid' ? fact.problem : fact.state;
        problems.set(what, (problems.get(what) ?? 0) + 1);
        // Two changes may undo each other, and two vectors have the same part.
        const isVector = vectors.some((known) => known.state === 'valid' && known.proof === mutant);
        if (fact.state === 'valid' && !isVector) accepted.push(mutant);
      }),
    );
  }
  expect({ seed, accepted }).toEqual({ seed, accepted: [] });
  // The signature is what refuses many: the changes are not all caught by their form.
  for (const problem of ['malformed', 'signature'])
    expect(problems.get(problem)).toBeGreaterThan(MUTANTS / 50);
});

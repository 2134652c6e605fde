import { expect, test } from 'vitest';
import { readJson } from '../../src/json/read-json.ts';
import { encode, refusal } from './strict-json.ts';

/** In a file of its own: to read a million bytes for each mutant of the reader takes hours. */
function takesLittleTime(read: () => void): void {
  const started = performance.now();
  read();
  // In quadratic time it would take hours.
  expect(performance.now() - started).toBeLessThan(20_000);
}

test('evaluates a number as long as a body in linear time', () => {
  takesLittleTime(() => {
    expect(refusal(`${'0.'}${'0'.repeat(500_000)}${'1'.repeat(500_000)}`)).toBeDefined();
    expect(refusal('9'.repeat(1_000_000))).toBeDefined();
    expect(refusal(`[1${'0'.repeat(999_990)}1]`)).toBeDefined();
  });
});

test('many short strings with accents are read in linear time', () => {
  takesLittleTime(() => {
    readJson(encode(JSON.stringify(Array(10_000).fill('é\n'))), { maxMembers: 10_000 });
    readJson(encode(`"${'é\\n'.repeat(200_000)}"`));
  });
});

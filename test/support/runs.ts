import { test } from 'vitest';

/** Whether this run checks a commit. */
const IN_CI: boolean = process.env['CI'] !== undefined;

/** The sizes of a run: of `npm test`, of the heavy files that check a commit, and of `npm run test:all`. */
const SIZES = ['quick', 'commit', 'full'] as const;
type Size = (typeof SIZES)[number];

const SIZE: Size = sizeOf(process.env['TEST_SIZE'] ?? 'quick');

function sizeOf(text: string): Size {
  const size = SIZES.find((one) => one === text);
  if (size === undefined) throw new Error(`TEST_SIZE must be one of ${SIZES.join(', ')}.`);
  return size;
}

/** Whether tests have their full size, as in `npm run test:all`. */
export const IS_FULL: boolean = SIZE === 'full';

/** The seed of a test that draws: the same in CI and while mutants are tried, another in every run at the desk. */
export function seedOf(fixed: number): number {
  return IN_CI || process.env['MUTATION_TESTS'] !== undefined ? fixed : Date.now();
}

/**
 * Returns the size of a test that grows with time. The quick size and the size of a commit take at most 60 seconds.
 */
export function sized(full: number, quick: number, commit: number = quick): number {
  return { quick, commit, full }[SIZE];
}

/** How many cases a property is tried with: enough to find things in `npm run test:all`, few in `npm test`. */
export function cases(full = 5_000): number {
  return sized(full, shareOf(full, 50), shareOf(full, 10));
}

function shareOf(full: number, divisor: number): number {
  return Math.min(full, Math.max(20, Math.ceil(full / divisor)));
}

/**
 * Returns the ways in which `subject` is tried: all of them at full size, else the first ways and a case that names
 * the others.
 */
export function waysToTry<Way>(
  ways: Readonly<Record<string, Way>>,
  quick: number,
  subject = 'the contract of storages',
  commit: number = quick,
): readonly (readonly [string, Way])[] {
  const all = Object.entries(ways);
  const others = all.slice(sized(all.length, quick, commit)).map(([name]) => name);
  if (others.length > 0) {
    const what = `Only "npm run test:all" tries ${subject} with: ${others.join(', ')}.`;
    test(what, () => console.warn(what));
  }
  return all.slice(0, all.length - others.length);
}

/** The claims of a contract: all of them at full size, else one of this number and a case that says how many. */
export function claimsToTry<Claim>(
  all: readonly Claim[],
  quick: number,
  subject: string,
  commit: number = quick,
): readonly Claim[] {
  const oneOf = sized(1, quick, commit);
  const chosen = all.filter((_, index) => index % oneOf === 0);
  if (chosen.length === all.length) return all;
  const what = `Only "npm run test:all" tries ${subject} with all ${all.length} claims, not with ${chosen.length}.`;
  test(what, () => console.warn(what));
  return chosen;
}

/** Whether this is the nightly run. */
export const IS_NIGHT: boolean = process.env['NIGHTLY'] !== undefined;

/** The size of a test that `npm run test:nightly` makes as large as its promise. */
export function nightly(byNight: number, otherwise: number): number {
  return IS_NIGHT ? byNight : otherwise;
}

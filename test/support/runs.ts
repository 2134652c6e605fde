import { test } from 'vitest';

/** Whether this is the run that judges a commit. */
const IN_CI: boolean = process.env['CI'] !== undefined;

/** Whether tests have their full size, as in `npm run test:all`. */
export const IS_FULL: boolean = process.env['FULL'] !== undefined;

/** The seed of a test that draws: the same in CI and while mutants are tried, another in every run at the desk. */
export function seedOf(fixed: number): number {
  return IN_CI || process.env['MUTATION_TESTS'] !== undefined ? fixed : Date.now();
}

/** The size of a test that grows with time: the full one in `npm run test:all`, a quick one in `npm test`. */
export function sized(full: number, quick: number): number {
  return IS_FULL ? full : quick;
}

/** How many cases a property is tried with: enough to find things in `npm run test:all`, few in `npm test`. */
export function cases(full = 5_000): number {
  return sized(full, Math.max(20, Math.ceil(full / QUICKER)));
}

/** `npm run test:all` tries this many times as much. */
const QUICKER = 50;

/** What `subject` is tried with: all of it at full size, else the first ones and a case that names the others. */
export function waysToTry<Way>(
  ways: Readonly<Record<string, Way>>,
  quick: number,
  subject = 'the contract of storages',
): readonly (readonly [string, Way])[] {
  const all = Object.entries(ways);
  const others = all.slice(sized(all.length, quick)).map(([name]) => name);
  if (others.length > 0) {
    const what = `Only "npm run test:all" tries ${subject} with: ${others.join(', ')}.`;
    test(what, () => console.warn(what));
  }
  return all.slice(0, all.length - others.length);
}

/** The claims of a contract: all of them at full size, else one of `oneOf` and a case that says how many. */
export function claimsToTry<Claim>(all: readonly Claim[], oneOf: number, subject: string): readonly Claim[] {
  const chosen = IS_FULL ? all : all.filter((_, index) => index % oneOf === 0);
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

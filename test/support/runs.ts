import { test } from 'vitest';

/** Whether this is the run that judges a commit. */
export const IN_CI: boolean = process.env['CI'] !== undefined;

/** The seed of a test that draws: the same in CI and while mutants are tried, another in every run at the desk. */
export function seedOf(fixed: number): number {
  return IN_CI || process.env['MUTATION_TESTS'] !== undefined ? fixed : Date.now();
}

/** The size of a test that grows with time: the full one in CI, a quick one at the desk. */
export function sized(inCi: number, atDesk: number): number {
  return IN_CI ? inCi : atDesk;
}

/** How many cases a property is tried with: enough to find things in CI, quick at the desk. */
export function cases(inCi = 5_000): number {
  return sized(inCi, Math.max(20, Math.ceil(inCi / AT_DESK)));
}

/** CI tries this many times as much. */
const AT_DESK = 50;

/** What `subject` is tried with: all of it in CI; at the desk the first ones, and a case that names the others. */
export function waysToTry<Way>(
  ways: Readonly<Record<string, Way>>,
  atDesk: number,
  subject = 'the contract of storages',
): readonly (readonly [string, Way])[] {
  const all = Object.entries(ways);
  const others = all.slice(sized(all.length, atDesk)).map(([name]) => name);
  if (others.length > 0) {
    const what = `Only CI tries ${subject} with: ${others.join(', ')}.`;
    test(what, () => console.warn(what));
  }
  return all.slice(0, all.length - others.length);
}

/** The claims of a contract: all of them in CI; at the desk one of `oneOf`, and a case that says how many. */
export function claimsToTry<Claim>(all: readonly Claim[], oneOf: number, subject: string): readonly Claim[] {
  const chosen = IN_CI ? all : all.filter((_, index) => index % oneOf === 0);
  if (chosen.length === all.length) return all;
  const what = `Only CI tries ${subject} with all ${all.length} claims, not with ${chosen.length}.`;
  test(what, () => console.warn(what));
  return chosen;
}

/** Whether this is the nightly run. */
export const IS_NIGHT: boolean = process.env['NIGHTLY'] !== undefined;

/** The size of a test that `npm run test:nightly` makes as large as its promise. */
export function nightly(byNight: number, otherwise: number): number {
  return IS_NIGHT ? byNight : otherwise;
}

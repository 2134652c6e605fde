import { test } from 'vitest';

/** Whether this is the run that judges a commit. */
export const IN_CI: boolean = process.env['CI'] !== undefined;

/** The size of a test that grows with time: the full one in CI, a quick one at the desk. */
export function sized(inCi: number, atDesk: number): number {
  return IN_CI ? inCi : atDesk;
}

/** How many cases a property is tried with: enough to find things in CI, quick at the desk. */
export function cases(): number {
  return sized(10_000, 1_000);
}

/** What is tried in several ways: all of them in CI; at the desk the first ones, and a case that names the others. */
export function waysToTry<Way>(
  ways: Readonly<Record<string, Way>>,
  atDesk: number,
): readonly (readonly [string, Way])[] {
  const all = Object.entries(ways);
  const others = all.slice(sized(all.length, atDesk)).map(([name]) => name);
  if (others.length > 0) {
    const what = `Only CI tries the contract of storages on: ${others.join(', ')}.`;
    test(what, () => console.warn(what));
  }
  return all.slice(0, all.length - others.length);
}

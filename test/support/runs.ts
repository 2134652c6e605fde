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

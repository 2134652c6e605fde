/** How many cases a property is tried with: enough to find things in CI, quick at the desk. */
export function cases(): number {
  return process.env['CI'] ? 10_000 : 1_000;
}

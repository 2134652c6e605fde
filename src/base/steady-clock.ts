/** `performance` is found by a getter of the global scope, which takes longer than its clock: it is read once. */
const { performance } = globalThis;

/** The milliseconds of `performance.now()`: they never go back, and on some systems they stand still in a sleep. */
export function steadyNow(): number {
  return performance.now();
}

/** The global `performance`, read once: the getter of the global scope takes longer than the clock itself. */
const { performance } = globalThis;

/**
 * Returns `performance.now()` in milliseconds. It never goes back; on some systems it stands still while the machine
 * sleeps.
 */
export function steadyNow(): number {
  return performance.now();
}

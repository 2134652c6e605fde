import { TestRunner, test } from 'vitest';

/**
 * Adds a case instead of the cases that need a missing program. It names the program, and fails on CI, where the
 * program must exist.
 */
export function sayMissing(what: string): void {
  test(what, () => {
    if (process.env['CI'] === 'true') throw new Error(what);
    console.warn(what);
  });
}

/** Throws inside a test: a case that says what is missing can be added only while its file is read. */
export function assertNoTestRuns(): void {
  const running = TestRunner.getCurrentTest();
  if (running !== undefined) throw new Error(`"${running.name}" asks for servers: ask outside of tests.`);
}

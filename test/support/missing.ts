import { TestRunner, test } from 'vitest';

/** A case in the place of those that need what is missing. It says so, and fails on CI, where it has to be there. */
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

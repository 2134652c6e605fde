/** Moves a service with a log until something is so: its signatures are made in other threads. */
import { expect } from 'vitest';
import type { Opened } from '../../support/service.ts';

const MAX_STEPS = 200;

/** Lets time pass in steps until the answer of `look` is true; fails if it never is. */
export async function passUntil(
  { timers }: Pick<Opened, 'timers'>,
  look: () => Promise<boolean>,
): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (await look()) return;
    await timers.pass(2_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect.fail('The log does not get there.');
}

import { setTimeout as pause } from 'node:timers/promises';

/** Settles once it is so; rejects after a minute and a half. */
export async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90_000; Date.now() < end; ) {
    if (await isSo()) return;
    await pause(20);
  }
  throw new Error('It did not happen in time.');
}

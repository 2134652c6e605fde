import { vi } from 'vitest';

/** Calls `read` until it no longer throws, and returns its result; gives up after a minute with its last error. */
export const eventually = <T>(read: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(read, { timeout: 60_000, interval: 20 });

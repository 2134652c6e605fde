import { setTimeout } from 'node:timers/promises';
import type { StorageAdapter } from '../../../src/index.ts';
import type { CollectionName } from '../../../src/ports/index.ts';

/** Calls at once: as many as a storage on the network has connections. */
const LANES = 10;
/** A round that takes longer was spent on connecting, or on a machine that is busy with something else. */
const CALM_MS = 200;
/** Between two rounds. */
const PAUSE_MS = 50;
/** Then a node that is slow is better than one that does not come. */
const MAX_MS = 10_000;

/** What the first requests ask for. */
const COLLECTIONS: readonly CollectionName[] = ['accounts', 'sessions', 'keys', 'passports'];

/**
 * Settles when the storage has answered a round of calls at once without haste, at the latest after ten seconds
 * and a call. A load balancer sends many requests at once to a node that is ready: otherwise each of the first would
 * open a connection, and wait for it within its own deadline.
 */
export async function warmUp(storage: StorageAdapter): Promise<void> {
  const end = performance.now() + MAX_MS;
  for (;;) {
    const started = performance.now();
    const outcomes = await Promise.allSettled(Array.from({ length: LANES }, () => askAll(storage)));
    const now = performance.now();
    const isAnswered = outcomes.every(({ status }) => status === 'fulfilled');
    if ((isAnswered && now - started < CALM_MS) || now >= end) return;
    await setTimeout(PAUSE_MS);
  }
}

async function askAll(storage: StorageAdapter): Promise<void> {
  for (const collection of COLLECTIONS) await storage.get(collection, 'warm-up');
}

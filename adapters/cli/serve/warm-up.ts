import { setTimeout } from 'node:timers/promises';
import type { StorageAdapter } from '../../../src/index.ts';
import type { CollectionName } from '../../../src/ports/index.ts';

/** Calls at once: as many as a storage on the network has connections. */
const LANES = 10;
/** A longer round was spent on connecting, or the machine is busy with something else. */
const CALM_MS = 200;
/** Between two rounds. */
const PAUSE_MS = 50;
/** After this time a slow node is better than one that never starts. */
const MAX_MS = 10_000;

/** The collections that the first requests read. */
const COLLECTIONS: readonly CollectionName[] = ['accounts', 'sessions', 'keys', 'passports'];

/**
 * Settles when the storage has answered a round of parallel calls in a short time, at the latest after ten seconds and
 * one call. A load balancer sends many requests at once to a node that is ready: otherwise each of the first would
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

/** Counts first, which takes a connection for each call: reads of one collection may share one. */
async function askAll(storage: StorageAdapter): Promise<void> {
  await storage.count('warm-up', new Date().toISOString());
  for (const collection of COLLECTIONS) await storage.get(collection, 'warm-up');
}

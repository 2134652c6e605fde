/** Several services on one store, for tests of what they spend at the same time. */
import { expect, onTestFinished } from 'vitest';
import { createIdentityService, type IdentityService } from '../../../src/core.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { openShared, type SharedStore } from '../../support/stores.ts';

/** How many services share the store. */
export const SERVICES = 4;

/** Services on one store; they are closed when the test ends. */
export async function servicesOn(store: SharedStore): Promise<readonly IdentityService[]> {
  const storages = await openShared(store, SERVICES);
  const services = storages.map((storage) =>
    createIdentityService({ storage, storageDeadlineMs: PATIENT_MS }),
  );
  onTestFinished(async () => {
    for (const service of services) await service.close();
  });
  return services;
}

/** Runs each of this number of tasks once, 64 at a time. */
export async function inParallel(count: number, task: (index: number) => Promise<void>): Promise<void> {
  const waiting = Array.from({ length: count }, (_, index) => index);
  const worker = async (): Promise<void> => {
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) await task(index);
  };
  await Promise.all(Array.from({ length: 64 }, worker));
}

/** While the first of two under one key is running the other may be refused. */
export async function orConflict(answer: Promise<VerdictRecord>): Promise<VerdictRecord | undefined> {
  return answer.catch((error: { readonly code?: string }) => {
    expect(error.code).toBe('conflict');
    return undefined;
  });
}

/** An amount of money in cents. */
export const centsOf = (amount: string | number | null): bigint => BigInt(Math.round(Number(amount) * 100));

/** What a test reads in a store past every service. */

import type { IdempotencyRecord } from '../../../src/core/shared/collections.ts';
import { recordId } from '../../../src/core/shared/idempotency.ts';
import type { SpendRecord } from '../../../src/core/spending/collections.ts';
import { MAX_PAGE_SIZE, type StorageAdapter } from '../../../src/ports/index.ts';
import type { StoredRecords } from '../../../src/ports/stored-records.ts';

/** What is remembered of a verdict in process under this key. */
export async function rememberedIn(
  storage: StorageAdapter,
  key: string,
): Promise<IdempotencyRecord | undefined> {
  const found = await storage.get('idempotency', recordId(['', 'live', 'verify'], key));
  return found as unknown as IdempotencyRecord | undefined;
}

/** All records of a collection. */
export async function allOf<Name extends 'spends' | 'approvals' | 'events'>(
  storage: StorageAdapter,
  collection: Name,
): Promise<readonly StoredRecords[Name][]> {
  const all: StoredRecords[Name][] = [];
  for (;;) {
    const after = all.at(-1);
    const query = { where: {}, limit: MAX_PAGE_SIZE, ...(after && { after }) };
    const page = (await storage.list(collection, query)) as unknown as readonly StoredRecords[Name][];
    all.push(...page);
    if (page.length < MAX_PAGE_SIZE) return all;
  }
}

/** What a spend has not given back, in cents. */
export function keptOf({ amount, released_amount }: SpendRecord): bigint {
  return centsOf(amount) - centsOf(released_amount);
}

/** An exact decimal in cents. */
export function centsOf(text: string | null): bigint {
  const [whole = '0', part = ''] = (text ?? '0').split('.');
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

/** Cents as an amount below 1. */
export const euros = (cents: bigint): string => `0.${`${cents}`.padStart(2, '0')}`;

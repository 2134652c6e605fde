/** Carries out an erasure step by step, on one node at a time. */
import { formatInstant } from '../../base/values/instant.ts';
import type { Context } from '../shared/context.ts';
import { remove, replace } from '../storage/store.ts';
import type { ErasureRecord } from './collections.ts';
import { eraseAccount } from './erase-account.ts';
import { eraseAgent } from './erase-agent.ts';
import type { Pieces } from './remove-records.ts';

/** The progress of an erasure. */
export interface ErasureProgress {
  readonly account_id: string;
  /** The agent; `null` for the whole account. */
  readonly agent_id: string | null;
  /** The number of records that this node has removed in this pass; 0 while it waits. */
  readonly removed: number;
  /** The state. `waiting`: the first pass is complete, and the last one will remove data of late requests. */
  readonly state: 'removing' | 'waiting' | 'done';
}

/** Continues an erasure; resolves to `true` if it is complete. */
export type GoOn = (record: ErasureRecord) => Promise<boolean>;

/** The report of progress, and the condition that ends the work early. */
export interface WorkHooks {
  readonly tell: (progress: ErasureProgress) => void;
  readonly isStopped: () => boolean;
}

/** The validity of a lease. A node that has not renewed it counts as dead. */
const LEASE_MS = 30_000;
/** The time for which a request that began before the erasure may still write. */
export const SETTLE_MS = 15_000;

/** Creates the work of one node. */
export function createErasureWork(context: Context, { tell, isStopped }: WorkHooks): GoOn {
  const { store, clock } = context;

  async function change(
    record: ErasureRecord,
    fields: Partial<ErasureRecord>,
  ): Promise<ErasureRecord | undefined> {
    const next = { ...record, ...fields, version: record.version + 1 };
    return (await store.write(replace('erasures', next, record.version))).written ? next : undefined;
  }

  /** Takes the lease; `undefined` if another node has changed the record. */
  async function lease(record: ErasureRecord): Promise<ErasureRecord | undefined> {
    const leased_until = formatInstant(clock.now() + LEASE_MS);
    return change(record, { leased_until });
  }

  /** Runs one pass; `undefined` if another node has taken the lease, or this one is stopped. */
  async function workOn(leased: ErasureRecord, isLast: boolean): Promise<Worked | undefined> {
    const { account_id, agent_id } = leased;
    const pieces: Pieces<boolean> =
      agent_id === null
        ? eraseAccount(context, account_id, isLast)
        : eraseAgent(context, { account_id, agent_id }, isLast);
    let record = leased;
    for (let removed = 0; ; ) {
      const piece = await pieces.next();
      if (piece.done === true) return { record, removed, isWhole: piece.value };
      removed += piece.value;
      tell({ account_id, agent_id, removed, state: 'removing' });
      if (isStopped()) return undefined;
      // INVARIANT: a node that was suspended removes nothing of an account that was created again meanwhile.
      if ((await store.get('erasures', record.id))?.version !== record.version) return undefined;
      if (Date.parse(record.leased_until) - clock.now() > LEASE_MS / 2) continue;
      const renewed = await lease(record);
      if (renewed === undefined) return undefined;
      record = renewed;
    }
  }

  /** Removes the record of the erasure together with the account; then its e-mail can be registered again. */
  async function end({ id, account_id, agent_id, version }: ErasureRecord): Promise<boolean> {
    const account = agent_id === null ? await store.get('accounts', account_id) : undefined;
    const steps = account === undefined ? [] : [remove('accounts', account_id, account.version)];
    return (await store.write(remove('erasures', id, version), ...steps)).written;
  }

  return async (record) => {
    const { account_id, agent_id, swept_at } = record;
    const now = clock.now();
    const isLast = swept_at !== null && now - Date.parse(swept_at) >= SETTLE_MS;
    if (swept_at !== null && !isLast) {
      tell({ account_id, agent_id, removed: 0, state: 'waiting' });
      return false;
    }
    // A lease that ends too late was taken with a clock that was ahead, and does not count.
    const leftMs = Date.parse(record.leased_until) - now;
    const leased = leftMs > 0 && leftMs <= LEASE_MS ? undefined : await lease(record);
    const worked = leased && (await workOn(leased, isLast));
    if (worked === undefined) return false;
    if (worked.isWhole && isLast) {
      const written = await end(worked.record);
      if (written) tell({ account_id, agent_id, removed: worked.removed, state: 'done' });
      return written;
    }
    const swept = worked.isWhole ? { swept_at: formatInstant(clock.now()) } : {};
    await change(worked.record, { ...swept, leased_until: record.created_at });
    tell({ account_id, agent_id, removed: worked.removed, state: 'waiting' });
    return false;
  };
}

/** The result of a pass; `isWhole` is false if data is left that has to wait. */
interface Worked {
  readonly record: ErasureRecord;
  readonly removed: number;
  readonly isWhole: boolean;
}

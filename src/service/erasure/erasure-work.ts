/** One erasure is taken one step further, by one node at a time. */
import { formatInstant } from '../../base/values/instant.ts';
import type { ErasureRecord } from '../../ports/stored-records.ts';
import type { Context } from '../shared/context.ts';
import { remove, replace } from '../storage/store.ts';
import { eraseAccount } from './erase-account.ts';
import { eraseAgent } from './erase-agent.ts';
import type { Pieces } from './remove-records.ts';

/** How far an erasure has come. */
export interface ErasureProgress {
  readonly account_id: string;
  /** `null`: all of the account. */
  readonly agent_id: string | null;
  /** How many records were removed here in this round; 0 while it waits. */
  readonly removed: number;
  /** `waiting`: all is removed once, and what was under way meanwhile is removed in a moment. */
  readonly state: 'removing' | 'waiting' | 'done';
}

/** Takes an erasure further; whether it is done. */
export type GoOn = (record: ErasureRecord) => Promise<boolean>;

/** What the work is reported to, and what ends it early. */
export interface WorkHooks {
  readonly tell: (progress: ErasureProgress) => void;
  readonly isStopped: () => boolean;
}

/** A node that has not renewed its lease for this time has died. */
const LEASE_MS = 30_000;
/** How long a request may be under way that began before the account was closed, with what it has a node store. */
export const SETTLE_MS = 15_000;

/** The work of one node. */
export function createErasureWork(context: Context, { tell, isStopped }: WorkHooks): GoOn {
  const { store, clock } = context;

  async function change(
    record: ErasureRecord,
    fields: Partial<ErasureRecord>,
  ): Promise<ErasureRecord | undefined> {
    const next = { ...record, ...fields, version: record.version + 1 };
    return (await store.write(replace('erasures', next, record.version))).written ? next : undefined;
  }

  /** The erasure with the lease of this node; `undefined`: another node has it, or had it a moment ago. */
  async function lease(record: ErasureRecord): Promise<ErasureRecord | undefined> {
    const leased_until = formatInstant(clock.now() + LEASE_MS);
    return change(record, { leased_until });
  }

  /** `undefined`: another node has taken it, or this one is stopped. */
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
      // INVARIANT: a node that was asleep removes nothing of an account that was opened anew meanwhile.
      if ((await store.get('erasures', record.id))?.version !== record.version) return undefined;
      if (Date.parse(record.leased_until) - clock.now() > LEASE_MS / 2) continue;
      const renewed = await lease(record);
      if (renewed === undefined) return undefined;
      record = renewed;
    }
  }

  /** In one step with the account itself: from then on its e-mail may be registered again. */
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
    // A clock that was ahead holds no lease for longer than its time.
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

/** What was done, and whether that is all that there was to do. */
interface Worked {
  readonly record: ErasureRecord;
  readonly removed: number;
  readonly isWhole: boolean;
}

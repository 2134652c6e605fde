/** What requests by API key need of an account, from the memory of this process. */
import type { Plan } from '../records.ts';
import type { Context } from './context.ts';

/** An account as a request by key sees it. */
export interface AccountState {
  readonly plan: Plan;
  readonly disabled: boolean;
}

/** Looks accounts up. */
export interface AccountStates {
  /** At most a second old; read from the storage when it is older. */
  of(account_id: string): Promise<AccountState>;
  /** Reads it anew the next time. */
  forget(account_id: string): void;
}

/** CONTRACT section 8: no answer is decided by what changed more than a second before it began. */
const FRESH_MS = 1_000;
const MOST = 10_000;

interface Entry {
  readonly readAt: number;
  readonly state: Promise<AccountState>;
}

/** The accounts of one service. One that the host keeps itself, without a record here, has no limits. */
export function createAccountStates(context: Context): AccountStates {
  const entries = new Map<string, Entry>();

  async function read(account_id: string): Promise<AccountState> {
    const record = await context.store.get('accounts', account_id);
    return { plan: record?.plan ?? 'enterprise', disabled: (record?.disabled_at ?? null) !== null };
  }

  return {
    of(account_id) {
      const readAt = context.clock.now();
      const known = entries.get(account_id);
      const ageMs = known === undefined ? Number.NaN : readAt - known.readAt;
      if (known !== undefined && ageMs >= 0 && ageMs < FRESH_MS) return known.state;
      if (entries.size >= MOST) entries.clear();
      const entry = { readAt, state: read(account_id) };
      entries.set(account_id, entry);
      entry.state.catch(() => {
        if (entries.get(account_id) === entry) entries.delete(account_id);
      });
      return entry.state;
    },
    forget(account_id) {
      entries.delete(account_id);
    },
  };
}

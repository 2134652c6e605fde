/** Verdicts under an idempotency key: an ALLOW that took something is answered again, and takes nothing again. */
import { formatInstant } from '../../base/values/instant.ts';
import { IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { IdempotencyRecord } from '../../ports/stored-records.ts';
import type { BudgetState, Intent, VerdictRecord } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { digestOf, mismatch, REMEMBERED_MS, recordId, stillRunning } from '../shared/idempotency.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** A request under a key. */
export interface KeyedRequest {
  readonly key: string;
  readonly caller: VerifyCaller;
  /** What is asked for, such as `verify`. */
  readonly route: string;
  /** All of the intent, as it was given. */
  readonly intent: Intent;
}

/** A request under a key that is being answered; `end` lets the next one begin. */
export interface KeyedVerdict {
  /** Whether the storage was asked for the key; before that only the write that takes something finds that it is known. */
  readonly isLooked: boolean;
  /** What was answered under the key; `undefined` at first. */
  readonly found: IdempotencyRecord | undefined;
  /** The step that remembers a verdict, in the write that takes what it needs. */
  remember(record: VerdictRecord, account_id: string): Change;
  /** Asks the storage for the key, as often as it is called. `idempotency_mismatch`: another request has it. */
  look(): Promise<KeyedVerdict>;
  /**
   * Files the verdict that `remember` has remembered once more, with its budgets as they stood after it, and gives it
   * back; where another process has filed them meanwhile, the verdict as that one has.
   */
  complete(record: VerdictRecord): Promise<VerdictRecord>;
  /**
   * The answer that was given before. `statesNow` gives its budgets where the process that took them ended before it
   * could say how they stood: the first process that says so decides.
   */
  replay(statesNow: () => Promise<readonly BudgetState[]>): Promise<VerdictRecord>;
  end(): void;
}

/** Remembers verdicts. */
export interface Replays {
  /** Asks nothing of the storage, and takes the key as it is. Throws `conflict`: the first runs here. */
  begin(request: KeyedRequest): KeyedVerdict;
}

/** What is remembered of a verdict; its budgets are filed after it, when it is known how they stand. */
type Remembered = Omit<VerdictRecord, 'budgets'> & { readonly budgets: readonly BudgetState[] | null };

/** What is known of a key. */
interface Known {
  /** The record under it, also one that has expired. */
  readonly stored: IdempotencyRecord | undefined;
  readonly found: IdempotencyRecord | undefined;
  readonly isLooked: boolean;
}

const NOT_LOOKED: Known = { stored: undefined, found: undefined, isLooked: false };

/** The replays of one service. */
export function createReplays(context: Context): Replays {
  const { store, clock } = context;
  const running = new Set<string>();

  async function look(id: string, request_digest: string): Promise<KeyedVerdict> {
    const stored = await store.get('idempotency', id);
    const found = stored !== undefined && Date.parse(stored.expires_at) > clock.now() ? stored : undefined;
    if (found !== undefined && found.request_digest !== request_digest) throw mismatch();
    return turnOf(id, request_digest, { stored, found, isLooked: true });
  }

  function turnOf(id: string, request_digest: string, { stored, found, isLooked }: Known): KeyedVerdict {
    let remembered: IdempotencyRecord | undefined;

    /** The record, unless another process was first. */
    async function file(record: VerdictRecord, known: IdempotencyRecord): Promise<VerdictRecord | undefined> {
      const next = { ...known, version: known.version + 1, response: responseOf(record) };
      return (await store.write(replace('idempotency', next, known.version))).written ? record : undefined;
    }

    const replay: KeyedVerdict['replay'] = (statesNow) => {
      let seen = found;
      return untilWritten(async () => {
        const known = seen ?? (await store.get('idempotency', id));
        seen = undefined;
        if (known === undefined)
          throw new IdentityError('conflict', 'What was answered under this key is gone.');
        const answer = known.response as unknown as Remembered;
        if (answer.budgets !== null) return { ...answer, budgets: answer.budgets };
        return file({ ...answer, budgets: await statesNow() }, known);
      });
    };

    return {
      isLooked,

      found,

      remember(record, account_id) {
        const at = clock.now();
        remembered = {
          id,
          account_id,
          version: (stored?.version ?? 0) + 1,
          created_at: formatInstant(at),
          expires_at: formatInstant(at + REMEMBERED_MS),
          request_digest,
          object_id: record.decision_id,
          response: responseOf({ ...record, budgets: null }),
        };
        return stored === undefined
          ? insert('idempotency', remembered)
          : replace('idempotency', remembered, stored.version);
      },

      complete: async (record) =>
        (remembered && (await file(record, remembered))) ?? replay(async () => record.budgets),

      look: () => look(id, request_digest),

      replay,

      end: () => void running.delete(id),
    };
  }

  return {
    begin({ key, caller, route, intent }) {
      const { account_id = '', environment = 'live' } = caller;
      const id = recordId([account_id ?? '', environment, route], key);
      const { proof: _, ...compared } = intent as Intent & { readonly proof?: unknown };
      const request_digest = digestOf(compared);
      if (running.has(id)) throw stillRunning();
      running.add(id);
      return turnOf(id, request_digest, NOT_LOOKED);
    },
  };
}

function responseOf(record: Remembered): IdempotencyRecord['response'] {
  return record as unknown as IdempotencyRecord['response'];
}

/** Stores verdicts by idempotency key. A repeated request gets the first `ALLOW` again, and spends nothing. */
import { formatInstant } from '../../base/values/instant.ts';
import { conflict } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { BudgetState, Intent, VerdictRecord } from '../../records.ts';
import type { IdempotencyRecord } from '../shared/collections.ts';
import type { Context } from '../shared/context.ts';
import { digestOf, mismatch, REMEMBERED_MS, recordId, stillRunning } from '../shared/idempotency.ts';
import type { KnownTree } from '../shared/log-state.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly key: string;
  readonly caller: VerifyCaller;
  /** The name of the endpoint, such as `verify`. */
  readonly route: string;
  /** The original intent with all members. */
  readonly intent: Intent;
}

/** A running request under an idempotency key. `end` lets the next request with this key begin. */
export interface KeyedVerdict {
  /**
   * `true` after the idempotency key was read from the storage. Before this read, only a failed write of the verdict
   * shows that a request is a repetition.
   */
  readonly isLooked: boolean;
  /** The stored answer for the key. `undefined` for a first request. */
  readonly found: IdempotencyRecord | undefined;
  /** Returns the step that stores the verdict, for the same write as the spend. */
  remember(record: VerdictRecord, account_id: string, permitTerms?: KeptTerms): Change;
  /**
   * Reads the key from the storage, on every call.
   *
   * @throws {IdentityError} `idempotency_mismatch` if the key belongs to another request.
   */
  look(): Promise<KeyedVerdict>;
  /**
   * Stores the verdict again with its budgets after the spend, and returns it. If another process was first, returns
   * the verdict with the budgets of that process.
   */
  complete(record: VerdictRecord): Promise<VerdictRecord>;
  /**
   * Returns the first answer. If the first process stopped before it stored the budgets, `statesNow` reads them. The
   * first process that stores them decides.
   */
  replay(statesNow: () => Promise<readonly BudgetState[]>): Promise<FirstAnswer>;
  end(): void;
}

/**
 * The claims of a permit that do not follow from its verdict. The service keeps them, so that the permit can be signed
 * again with the same claims.
 */
export interface KeptTerms {
  /** The end of the permit, in seconds since the Unix epoch. */
  readonly exp: number;
  /** The tree of the evidence log in the permit. Absent if there is none. */
  readonly log?: KnownTree;
}

/** The first answer for an idempotency key. */
export interface FirstAnswer {
  readonly record: VerdictRecord;
  /** The terms of the permit; `undefined` if there is none. The permit itself is not stored. */
  readonly permitTerms: KeptTerms | undefined;
}

/** Stores verdicts for repeated requests. */
export interface Replays {
  /**
   * Begins a request without a call of the storage.
   *
   * @throws {IdentityError} `conflict` if a request with the same key already runs in this process.
   */
  begin(request: KeyedRequest): KeyedVerdict;
}

/** The stored verdict. The budgets are stored later, as soon as they are known. */
type Remembered = Omit<VerdictRecord, 'budgets' | 'permit'> & {
  readonly budgets: readonly BudgetState[] | null;
  readonly permit_terms?: KeptTerms | undefined;
};

interface Known {
  readonly stored: IdempotencyRecord | undefined;
  readonly found: IdempotencyRecord | undefined;
  readonly isLooked: boolean;
}

const NOT_LOOKED: Known = { stored: undefined, found: undefined, isLooked: false };

export function createReplays(context: Pick<Context, 'store' | 'clock'>): Replays {
  const { store, clock } = context;
  const running = new Set<string>();

  async function look(id: string, request_digest: string): Promise<KeyedVerdict> {
    const storedBase = await store.get('idempotency', id);
    const passport =
      storedBase !== undefined && Date.parse(storedBase.expires_at) > clock.now() ? storedBase : undefined;
    if (passport !== undefined && passport.request_digest !== request_digest) throw mismatch();
    return turnOf(id, request_digest, { stored: storedBase, found: passport, isLooked: true });
  }

  function turnOf(
    id: string,
    request_digest: string,
    { stored, found: passport, isLooked }: Known,
  ): KeyedVerdict {
    let rememberedRecord: IdempotencyRecord | undefined;

    const file = (record: VerdictRecord, knownRecord: IdempotencyRecord) =>
      fileAnswer(store, record, knownRecord);

    const replay: KeyedVerdict['replay'] = (statesNow) => {
      let seenRecord = passport;
      return untilWritten(async () => {
        const record = seenRecord ?? (await store.get('idempotency', id));
        seenRecord = undefined;
        if (record === undefined)
          throw conflict('The answer under this idempotency key no longer exists. Use another key.');
        const { permit_terms, ...answer } = record.response as unknown as Remembered;
        const { budgets } = answer;
        if (budgets !== null) return { record: { ...answer, budgets }, permitTerms: permit_terms };
        return file({ ...answer, budgets: await statesNow() }, record);
      });
    };

    return {
      isLooked,

      found: passport,

      remember(record, account_id, permit_terms) {
        const atMs = clock.now();
        rememberedRecord = {
          id,
          account_id,
          version: (stored?.version ?? 0) + 1,
          created_at: formatInstant(atMs),
          expires_at: formatInstant(atMs + REMEMBERED_MS),
          request_digest,
          object_id: record.decision_id,
          response: responseOf({ ...record, budgets: null, permit_terms }),
        };
        return stored === undefined
          ? insert('idempotency', rememberedRecord)
          : replace('idempotency', rememberedRecord, stored.version);
      },

      complete: async (record) =>
        (
          (rememberedRecord && (await file(record, rememberedRecord))) ??
          (await replay(async () => record.budgets))
        ).record,

      look: () => look(id, request_digest),

      replay,

      end: () => void running.delete(id),
    };
  }

  return {
    begin({ key, caller, route, intent }) {
      const { account_id = '', environment = 'live' } = caller;
      const id = recordId([account_id ?? '', environment, route], key);
      const { proof: _, ...comparedIntent } = intent as Intent & { readonly proof?: unknown };
      const request_digest = digestOf(comparedIntent);
      if (running.has(id)) throw stillRunning();
      running.add(id);
      return turnOf(id, request_digest, NOT_LOOKED);
    },
  };
}

async function fileAnswer(
  store: Context['store'],
  record: VerdictRecord,
  knownRecord: IdempotencyRecord,
): Promise<FirstAnswer | undefined> {
  const { permit_terms } = knownRecord.response as unknown as Remembered;
  const next = {
    ...knownRecord,
    version: knownRecord.version + 1,
    response: responseOf({ ...record, permit_terms }),
  };
  const { written } = await store.write(replace('idempotency', next, knownRecord.version));
  return written ? { record, permitTerms: permit_terms } : undefined;
}

function responseOf({ permit_terms, ...record }: Remembered): IdempotencyRecord['response'] {
  const response: Remembered = permit_terms === undefined ? record : { ...record, permit_terms };
  return response as unknown as IdempotencyRecord['response'];
}

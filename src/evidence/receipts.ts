import { toPaddedBase64 } from '../base/bytes/base64.ts';
import { parseInstant } from '../base/values/instant.ts';
import { createBlockReader } from '../core/journal/damage.ts';
import type { Journal } from '../core/journal/journal.ts';
import type { Actor, KeyCaller } from '../core/shared/callers.ts';
import { assertWanted, type CallOptions } from '../core/shared/callers.ts';
import { accountOf, type Context } from '../core/shared/context.ts';
import { IdentityError, wrongField } from '../errors.ts';
import { openBlock, type SaltedSubject, saltedAt } from '../journal-format/index.ts';
import { type Block, type BlockHeader, MAX_LOADED_BLOCKS } from '../ports/journal.ts';
import type { VerdictReceipt } from '../records/log.ts';
import type { VerdictRecord } from '../records.ts';
import { mustBe } from '../schema/expected.ts';
import { blockSubject } from './block-leaves.ts';
import type { LogEntryRecord } from './collections.ts';
import { positionIn } from './head.ts';
import { headOf, proofText } from './log-reads.ts';

/** Selects the verdict for a receipt. */
export interface ReceiptQuery {
  /** The `evaluated_at` of the verdict. Required for a verdict without a permit. */
  readonly evaluated_at?: string;
}

/** The receipts of verdicts. */
export interface VerdictReceipts<Options = CallOptions> {
  /**
   * Returns the receipt of a verdict from the log of its account. The receipt of a verdict with a permit contains only
   * its record. The receipt of any other verdict contains the whole block of records.
   *
   * @throws {IdentityError} `conflict` if the verdict is not in the log yet.
   * @throws {IdentityError} `not_found` if another account owns the verdict, or if it was removed or is older than the
   * log.
   * @throws {IdentityError} `invalid_request` for a wrong `evaluated_at`.
   */
  receipt(decisionId: string, query?: ReceiptQuery, options?: Options & CallOptions): Promise<VerdictReceipt>;
}

export type ReadReceipt = VerdictReceipts<Actor>['receipt'];

/** The milliseconds before now in which a verdict is searched if its instant is not given. */
const RECENT_MS = 600_000;
const RETRY_SECONDS = 10;

interface Found {
  readonly block: Block;
  readonly place: number;
  readonly records: number;
  readonly record: VerdictRecord;
  readonly subject: SaltedSubject | undefined;
}

export function createReceipts(
  context: Pick<Context, 'store' | 'clock' | 'session' | 'logState' | 'log'>,
  journal: Pick<Journal, 'settle'>,
): ReadReceipt {
  const { store, logState } = context;

  return async (decisionId, { evaluated_at } = {}, { signal, ...actor } = {}) => {
    const account_id = accountOf(context, actor);
    const key = 'scopes' in actor ? (actor as unknown as KeyCaller) : undefined;
    const instant = readInstant(evaluated_at);
    const ownRecord = await entryAbout(account_id, decisionId);
    if (ownRecord !== undefined) return recordReceipt(ownRecord, key);
    await assertLog(account_id);
    await journal.settle(account_id);
    const verdict = await findVerdict(context, { account_id, decisionId, at: instant, signal });
    if (verdict === undefined)
      throw instant !== undefined || key !== undefined ? notFound() : instantRequired();
    assertSees(key, verdict.record);
    const leaf = await entryAbout(account_id, blockSubject(verdict.block));
    if (leaf === undefined || verdict.record.permit_audience !== null) {
      await assertComing(account_id, verdict.block);
      throw notYet();
    }
    if (instant === undefined) throw instantRequired();
    return blockReceipt(leaf, verdict);
  };

  async function recordReceipt(
    ownRecord: LogEntryRecord,
    key: KeyCaller | undefined,
  ): Promise<VerdictReceipt> {
    const { record } = JSON.parse(ownRecord.entry) as { readonly record: VerdictRecord };
    assertSees(key, record);
    return { kind: 'record', ...(await proven(ownRecord)), discloses: 1 };
  }

  async function blockReceipt(leaf: LogEntryRecord, finding: Found): Promise<VerdictReceipt> {
    const { place, records, block, subject } = finding;
    return {
      kind: 'block',
      ...(await proven(leaf)),
      block: toPaddedBase64(block.data),
      place,
      ...(subject && { subject: { salt: toPaddedBase64(subject.salt), text: subject.text } }),
      discloses: records,
    };
  }

  async function assertLog(account_id: string): Promise<void> {
    if ((await store.get('log_heads', account_id)) !== undefined) return;
    if ((await logState.refresh()) === undefined) throw notFound();
  }

  async function entryAbout(account_id: string, subject: string): Promise<LogEntryRecord | undefined> {
    const [entry] = await store.list('log_entries', { where: { account_id, subject }, limit: 1 });
    return entry;
  }

  async function proven({
    log_id,
    leaf_index,
    entry,
  }: LogEntryRecord): Promise<{ entry: string; proof: string }> {
    const head = await headOf(store, log_id);
    if (head === undefined) throw notFound();
    return { entry, proof: await proofText(store, head, leaf_index) };
  }

  async function assertComing(account_id: string, { writer, seq }: BlockHeader): Promise<void> {
    const log = await logState.refresh();
    if (log === undefined) throw notFound();
    const [last] = positionIn(await store.get('log_heads', account_id), log, writer);
    // A block at or before the position has its leaf, or is from before the log.
    if (seq < last) throw notFound();
  }
}

interface Sought {
  readonly account_id: string;
  readonly decisionId: string;
  readonly at: number | undefined;
  readonly signal: AbortSignal | undefined;
}

async function findVerdict(
  { store, clock, log }: Pick<Context, 'store' | 'clock' | 'log'>,
  { account_id, decisionId, at, signal }: Sought,
): Promise<Found | undefined> {
  const readBlock = createBlockReader(log);
  const range = at === undefined ? { from_ms: clock.now() - RECENT_MS } : { from_ms: at, upto_ms: at };
  for (let headerAfter: BlockHeader | undefined; ; ) {
    assertWanted(signal);
    const query = { account_id, ...range, limit: MAX_LOADED_BLOCKS };
    const headers = await store.journal.blocks(
      headerAfter === undefined ? query : { ...query, after: headerAfter },
    );
    for (const block of await store.journal.load(headers)) {
      const place = block && readBlock(block, () => placeIn(block, decisionId));
      if (place !== undefined) return place;
    }
    headerAfter = headers.at(-1);
    if (headers.length < MAX_LOADED_BLOCKS) return undefined;
  }
}

function placeIn(block: Block, decisionId: string): Found | undefined {
  const view = openBlock(block.data, block.erasable);
  for (let place = 0; place < view.length; place += 1) {
    if (view.decisionId(place) === decisionId) {
      const [record, subject] = [view.record(place), saltedAt(view.subjects, place)];
      return { block, place, records: view.length, record, subject };
    }
  }
  return undefined;
}

/** Throws `not_found` if a key may not see the receipt. A key sees only the receipts of its permits. */
function assertSees(key: KeyCaller | undefined, record: VerdictRecord): void {
  if (key === undefined) return;
  const { agent_ids, environment } = key;
  const isOfKey = record.environment === environment && record.permit_audience !== null;
  if (!isOfKey || agent_ids?.includes(record.agent_id) === false) throw notFound();
}

function readInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw wrongField('/evaluated_at', 'invalid_format', mustBe('/from'));
}

function notFound(): IdentityError {
  return new IdentityError(
    'not_found',
    'There is no receipt of this verdict. Check its decision_id and evaluated_at.',
  );
}

function instantRequired(): IdentityError {
  return wrongField('/evaluated_at', 'required', 'This field is required: the evaluated_at of the verdict.');
}

function notYet(): IdentityError {
  const details = { retryAfterSeconds: RETRY_SECONDS };
  return new IdentityError('conflict', 'The verdict has no leaf in the log yet. Try again in some seconds.', {
    details,
  });
}

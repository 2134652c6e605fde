/**
 * Audits the entries of a log: checks their content, finds repeated entries, and compares each entry with its block.
 */
import { canonicalJson } from '../base/values/json-values.ts';
import { hashing } from '../platform/index.ts';
import type { VerdictRecord } from '../records.ts';
import { type BlockContent, type LogEntry, type LoggedRecord, loggedRecord } from './entries.ts';
import { createIdSet, type IdSet } from './id-set.ts';

/**
 * The findings about entries.
 *
 * - `content`: the text is not an entry of this log.
 * - `repeated`: a block, a verdict or an event occurs twice, or a block follows a later block.
 * - `permits`: a verdict has an entry without a matching block, or an entry is missing.
 * - `block`: the bytes do not match the entry.
 * - `header`: the entry does not describe its block.
 * - `removed`: a block is missing although it is newer than an existing block, or still within the retention.
 */
export type EntryFinding = 'content' | 'repeated' | 'permits' | 'block' | 'header' | 'removed';

/** A block that is compared with its entry. */
export interface AuditedBlock {
  readonly length: number;
  readonly drops: readonly { readonly count: number }[];
  record(row: number): VerdictRecord;
}

/** Audits the entries one after another. */
export interface EntryAudit {
  readonly openBlock?: (data: Uint8Array) => AuditedBlock;
  /**
   * Returns the findings about the next entry.
   *
   * @throws {Error} The error of the source of the blocks.
   */
  entry(text: string, index: number): Promise<readonly { readonly code: EntryFinding }[]>;
  /** Returns the findings that are only known at the end of the log. */
  rest(): readonly { readonly code: EntryFinding; readonly index: number }[];
}

interface BlockSource {
  block?(digest: string): Promise<Uint8Array | undefined>;
}

/** The options of an audit of entries. */
export interface AuditOptions {
  readonly openBlock?: EntryAudit['openBlock'];
  /** The instant from which blocks must exist, in milliseconds. */
  readonly keptSinceMs?: number;
}

/** Creates an audit that has not yet read an entry. */
export function createEntryAudit(
  source: BlockSource,
  { openBlock, keptSinceMs }: AuditOptions,
  ids: IdSet = createIdSet(),
): EntryAudit {
  const { isFirst } = ids;
  let account: string | undefined;
  const blocks = new Map<string, number>();
  /** The verdicts with a permit in read blocks, by their id. Each of them must also have its own entry. */
  const expectedMap = new Map<string, string>();
  /** The number of verdicts with a permit in blocks that the audit could not read. */
  let due = 0;
  const removals = createRemovals(keptSinceMs);

  function isNextBlock(name: string): boolean {
    const [, writer, digits] = BLOCK_NAME.exec(name) ?? [];
    const seq = Number(digits);
    if (writer === undefined || !Number.isSafeInteger(seq) || seq <= (blocks.get(writer) ?? 0)) return false;
    blocks.set(writer, seq);
    return true;
  }

  async function ofBlock(content: BlockContent, index: number): Promise<EntryFinding | undefined> {
    if (!isNextBlock(content.block)) return 'repeated';
    const data = await source.block?.(content.digest);
    if (source.block !== undefined && removals.isFound(content.to, index, data !== undefined))
      return 'removed';
    if (data !== undefined && hashing.sha256Hex(data) !== content.digest) return 'block';
    const read = data && openBlock && readBlock(content, data, openBlock);
    if (read === 'block') return read;
    if (read !== undefined) return ofRecords(read);
    due += content.permits;
    return undefined;
  }

  function ofRecords({ records, isAsSaid }: ReadBlock): EntryFinding | undefined {
    if (!isAsSaid) return 'header';
    for (const record of records.filter(hasPermit)) {
      expectedMap.set(record.decision_id, comparable(loggedRecord(record)));
    }
    return records.every(({ decision_id }) => isFirst(decision_id)) ? undefined : 'repeated';
  }

  function ofRecord(record: LoggedRecord): EntryFinding | undefined {
    const wantedText = expectedMap.get(record.decision_id);
    if (!isFirst(`verdict ${record.decision_id}`)) return 'repeated';
    if (wantedText === undefined) due -= 1;
    expectedMap.delete(record.decision_id);
    const isAsked = wantedText === undefined ? due >= 0 : wantedText === comparable(record);
    return isAsked ? undefined : 'permits';
  }

  async function ofEntry(text: string, index: number): Promise<EntryFinding | undefined> {
    const entry = readEntry(text);
    if (entry === undefined) return 'content';
    account ??= entry.account_id;
    const isPlaced = index > 0 || entry.kind === 'begin';
    if (entry.account_id !== account || !isPlaced) return 'content';
    if (entry.kind === 'begin') return undefined;
    if (entry.kind === 'verdicts') return ofBlock(entry, index);
    if (entry.kind === 'verdict') return ofRecord(entry.record);
    return isFirst(`event ${entry.event.id}`) ? undefined : 'repeated';
  }

  return {
    async entry(text, index) {
      const code = await ofEntry(text, index);
      return code === undefined ? [] : [{ code }];
    },
    rest: removals.rest,
  };
}

/**
 * Finds blocks that are missing although the retention did not remove them. The retention removes the oldest blocks
 * first.
 */
function createRemovals(keptSinceMs = Number.POSITIVE_INFINITY) {
  let oldest: string | undefined;
  let youngest: { readonly to: string; readonly index: number } | undefined;
  return {
    isFound(target: string, index: number, isThere: boolean): boolean {
      if (isThere) {
        if (oldest === undefined || target < oldest) oldest = target;
        return false;
      }
      if ((oldest !== undefined && target > oldest) || Date.parse(target) > keptSinceMs) return true;
      if (youngest === undefined || target > youngest.to) youngest = { to: target, index };
      return false;
    },
    /** Returns a finding for the newest missing block if an older block exists. */
    rest(): readonly { readonly code: EntryFinding; readonly index: number }[] {
      const isLeft = youngest !== undefined && oldest !== undefined && youngest.to > oldest;
      return youngest !== undefined && isLeft ? [{ code: 'removed', index: youngest.index }] : [];
    },
  };
}

const BLOCK_NAME = /^([0-9A-Za-z]+)\.([1-9]\d*)$/;

const BODY: Readonly<Record<string, string>> = {
  begin: 'at',
  verdicts: 'digest',
  verdict: 'record',
  change: 'event',
};

function readEntry(text: string): LogEntry | undefined {
  try {
    const entry = Object(JSON.parse(text));
    const body = Object(entry[BODY[entry.kind] ?? '']);
    const isKnown = entry.v === 1 && typeof entry.account_id === 'string' && /^[\w-]{22}$/.test(entry.salt);
    const isWhole = Object.keys(body).length > 0 && canonicalJson(entry) === text;
    return isKnown && isWhole ? entry : undefined;
  } catch {
    return undefined;
  }
}

interface ReadBlock {
  readonly records: readonly VerdictRecord[];
  readonly isAsSaid: boolean;
}

/**
 * Reads a block. Returns the finding `block` for unreadable bytes, because a log can contain the digest of any bytes.
 */
function readBlock(
  content: BlockContent,
  data: Uint8Array,
  open: NonNullable<EntryAudit['openBlock']>,
): ReadBlock | 'block' {
  try {
    const view = open(data);
    const records = Array.from({ length: view.length }, (_, row) => view.record(row));
    const deniedCount = records.filter(({ verdict }) => verdict === 'DENY').length;
    const drops = view.drops.reduce((sum, { count }) => sum + count, 0);
    const counts = {
      records: records.length,
      denied: deniedCount,
      permits: records.filter(hasPermit).length,
      drops,
    };
    const [first, last] = [records[0], records.at(-1)];
    const span = first === undefined ? {} : { from: first.evaluated_at, to: last?.evaluated_at };
    return {
      records,
      isAsSaid: canonicalJson({ ...content, ...counts, ...span }) === canonicalJson(content),
    };
  } catch {
    return 'block';
  }
}

function hasPermit({ verdict, permit_audience }: VerdictRecord): boolean {
  return verdict === 'ALLOW' && typeof permit_audience === 'string';
}

function comparable(record: LoggedRecord): string {
  return canonicalJson({ ...record, subject: undefined, subject_erased: undefined });
}

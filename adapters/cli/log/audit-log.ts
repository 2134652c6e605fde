/** Audits an evidence log with the texts that the user has kept: a checkpoint, permits and receipts. */

import { createReadStream } from 'node:fs';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openBlock } from '../../../src/journal-format/entry-point.ts';
import { type LogReceipt, verifyReceipt } from '../../../src/tokens/proof/index.ts';
import {
  type LogFinding,
  type LogHead,
  type LogSource,
  type NoteKey,
  readNoteKey,
  tilePath,
  verifyLog,
} from '../../../src/transparency-log/index.ts';
import { usageError } from '../output/error.ts';
import { KEPT_SINCE } from './export-log.ts';

export interface KeptFiles {
  readonly state?: string;
  readonly permits: readonly string[];
  readonly receipts: readonly string[];
}

export interface AuditedLog {
  readonly origin: string | null;
  readonly size: number | null;
  readonly findings: readonly {
    readonly code: string;
    readonly index?: number;
    readonly detail?: string | number;
  }[];
  readonly unchecked: readonly string[];
}

/**
 * The time within which the evidence log must get the entry (leaf) of a permit. A permit is a signed `ALLOW`,
 * and an older permit without an entry is a finding.
 */
const LATE_MS = 300_000;

/** Reads the keys of a log. Keys are never taken from the log itself, because the audit checks the log. */
export async function readKeys(texts: readonly string[]): Promise<readonly NoteKey[]> {
  const keys = await Promise.all(texts.map(readNoteKey));
  const wrong = texts.find((_, index) => keys[index] === undefined);
  if (wrong !== undefined)
    throw usageError(`This is no key of a log: ${wrong}. It is <origin>+<id>+<base64>.`);
  const foundKeys = keys.filter((key) => key !== undefined);
  const [first] = foundKeys;
  if (first === undefined)
    throw usageError('Name a key of the log with --key: it is not taken from the log itself.');
  if (foundKeys.some(({ name }) => name !== first.name))
    throw usageError('The keys are of several logs. Name the keys of one log.');
  return foundKeys;
}

/** Audits a log. If there are no findings, it updates the stored checkpoint. */
export async function auditLog(
  { keptSinceMs, ...source }: FolderSource,
  texts: readonly string[],
  keptFiles: KeptFiles,
): Promise<AuditedLog> {
  const keys = await readKeys(texts);
  const state = keptFiles.state === undefined ? undefined : await readState(keptFiles.state);
  const permits = await Promise.all(keptFiles.permits.map(readPermit));
  const receipts = await Promise.all(keptFiles.receipts.map((path) => readReceipt(path, texts)));
  const heads = receipts.map(({ head }) => head).filter((head) => head !== undefined);
  const missing = new Set(permits.filter(({ isLate }) => isLate).map(({ jti }) => jti));
  const entries = source.entries && (() => noted(source.entries?.() ?? none(), missing));
  const { head, findings } = await verifyLog(
    { ...source, ...(entries && { entries }) },
    {
      keys,
      older: state === undefined ? [] : [state],
      olderHeads: [...permits.flatMap(({ log }) => log ?? []), ...heads],
      openBlock,
      ...(keptSinceMs !== undefined && { keptSinceMs }),
    },
  );
  const allFindings = [
    ...findings.map(named),
    ...receipts.flatMap(({ problem }) => problem ?? []),
    ...(entries === undefined ? [] : [...missing].map((detail) => ({ code: 'permit', detail }))),
  ];
  if (allFindings.length === 0 && keptFiles.state !== undefined)
    await moveOn(keptFiles.state, source.checkpoint);
  const uncheckedNames =
    entries === undefined ? ['entries and blocks: they need the account, or an exported folder'] : [];
  return {
    origin: head?.origin ?? null,
    size: head?.size ?? null,
    findings: allFindings,
    unchecked: uncheckedNames,
  };
}

function named({ code, index, detail }: LogFinding): AuditedLog['findings'][number] {
  return { code, ...(index !== undefined && { index }), ...(detail !== undefined && { detail }) };
}

async function* none(): AsyncGenerator<string | null> {}

/** Passes on the entries of the log, and removes the ids of their permits from `missing`. */
async function* noted(
  entries: AsyncIterable<string | null>,
  missing: Set<string>,
): AsyncGenerator<string | null> {
  for await (const entry of entries) {
    for (const jti of entry === null ? [] : missing) if (entry?.includes(`"${jti}"`)) missing.delete(jti);
    yield entry;
  }
}

async function readState(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function moveOn(path: string, checkpoint: string): Promise<void> {
  await writeFile(`${path}.new`, checkpoint);
  await rename(`${path}.new`, path);
}

interface ReadPermit {
  readonly jti: string;
  readonly log: LogHead | undefined;
  readonly isLate: boolean;
}

/** Reads the verdict and the log from a permit. It does not check the signature, because the user trusts the file. */
async function readPermit(path: string): Promise<ReadPermit> {
  const [, payload = ''] = (await readFile(path, 'utf8')).trim().split('.');
  try {
    const { jti, iat, log } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      readonly jti: string;
      readonly iat: number;
      readonly log?: { readonly origin: string; readonly size: number; readonly root: string };
    };
    const head = log && { ...log, root: new Uint8Array(Buffer.from(log.root, 'base64')) };
    return { jti, log: head, isLate: Date.now() - 1_000 * iat > LATE_MS };
  } catch {
    throw usageError(`${path} is no permit. Name the file of a permit.`);
  }
}

/**
 * Verifies a receipt with the keys. Returns the problem, or the head of the log in the receipt, which the audit
 * compares with the log.
 */
async function readReceipt(
  path: string,
  keys: readonly string[],
): Promise<{ readonly head?: LogHead; readonly problem?: AuditedLog['findings'] }> {
  const receipt = JSON.parse(await readFile(path, 'utf8')) as LogReceipt;
  try {
    const { log } = await verifyReceipt(receipt, { keys, openBlock });
    return { head: { ...log, root: new Uint8Array(Buffer.from(log.root, 'base64')) } };
  } catch (error) {
    return { problem: [{ code: 'receipt', detail: `${path}: ${(error as Error).message}` }] };
  }
}

// Opens the logs that can be audited: in a folder, or at the public paths of a service.

export interface FolderSource extends LogSource {
  readonly keptSinceMs?: number;
}

export async function folderSource(folder: string): Promise<FolderSource> {
  const checkpoint = await readFile(join(folder, 'checkpoint'), 'utf8').catch(() => {
    throw usageError(`${folder} has no file checkpoint: name a folder of agent-identity log export.`);
  });
  const hasEntries = await stat(join(folder, 'entries.jsonl')).then(
    () => true,
    () => false,
  );
  const keptSince = await readFile(join(folder, KEPT_SINCE), 'utf8').catch(() => '');
  const keptSinceMs = Date.parse(keptSince.trim());
  return {
    checkpoint,
    ...(Number.isFinite(keptSinceMs) && { keptSinceMs }),
    tile: (tile) => readOptional(join(folder, tilePath(tile))),
    ...(hasEntries && { entries: () => linesOf(join(folder, 'entries.jsonl')) }),
    block: (digest) =>
      /^[\da-f]{64}$/.test(digest) ? readOptional(join(folder, 'blocks', digest)) : NOTHING,
  };
}

/** Opens the public paths of a log. The address of the service ends in `/api`. */
export async function publicSource(baseUrl: string, origin: string): Promise<LogSource> {
  const baseAddress = `${baseUrl.replace(/\/+$/, '')}/logs/${origin.slice(origin.lastIndexOf('/') + 1)}`;
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const answer = await fetch(`${baseAddress}/${path}`);
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 404) return undefined;
    throw new Error(`${baseAddress}/${path} answered ${answer.status}.`);
  };
  const note = await read('checkpoint');
  if (note === undefined) throw usageError(`There is no log at ${baseAddress}. The address ends in /api.`);
  return { checkpoint: new TextDecoder().decode(note), tile: (tile) => read(tilePath(tile)) };
}

const NOTHING = Promise.resolve(undefined);

async function readOptional(path: string): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function* linesOf(path: string): AsyncGenerator<string | null> {
  const lines = createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) yield line === 'null' ? null : line;
}

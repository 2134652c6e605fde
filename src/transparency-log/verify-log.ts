/** Audits a whole evidence log, from its public bytes and, if you pass them, its entries and blocks. */

import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { type CheckpointProblem, type LogHead, openCheckpoint } from './checkpoint.ts';
import { createEntryAudit, type EntryAudit, type EntryFinding } from './entry-audit.ts';
import { HASH_BYTES, isSameHash, leafHash } from './hashes.ts';
import { createIdSet } from './id-set.ts';
import type { NoteKey } from './signed-note.ts';
import {
  appendLeaf,
  type Edge,
  EMPTY_EDGE,
  type Finished,
  hashInTile,
  rootOf,
  TILE_HEIGHT,
  TILE_WIDTH,
  type Tile,
  tilePath,
  widthIn,
} from './tiles.ts';

/**
 * The source of a log to audit.
 *
 * @throws {Error} Any error. `verifyLog` then rejects with it.
 */
export interface LogSource {
  /** The current checkpoint (signed note) of the log. */
  readonly checkpoint: string;
  /** Returns the bytes of a tile. Returns `undefined` if the tile is missing. */
  tile(tile: Tile): Promise<Uint8Array | undefined>;
  /** Yields the texts of all entries in order. Yields `null` for an entry that was removed after its retention. */
  entries?(): AsyncIterable<string | null>;
  /** Returns the bytes of the block with this SHA-256. Returns `undefined` if the block was removed. */
  block?(digest: string): Promise<Uint8Array | undefined>;
}

/** A fault that only a rewritten log can have. */
export interface LogFinding {
  readonly code: TreeFinding | EntryFinding;
  /** The index of the leaf, if the finding concerns a leaf. */
  readonly index?: number;
  /** The tile, the size or the problem of the finding. */
  readonly detail?: string | number;
}

/**
 * The findings about the tree. `removed`: a text is missing although it is newer than an existing one. `history`: the
 * log does not begin with an older tree.
 */
export type TreeFinding =
  | 'checkpoint'
  | 'older'
  | 'history'
  | 'tile'
  | 'root'
  | 'leaf'
  | 'entries'
  | 'removed';

/** The keys of the log, and earlier trees of the log that you kept. */
export interface VerifyLogOptions {
  readonly keys: readonly NoteKey[];
  /** Checkpoints that you kept from this verifier or from receipts. They are verified with the keys. */
  readonly older?: readonly string[];
  /** Trees that you kept from another signed source, such as a permit. */
  readonly olderHeads?: readonly LogHead[];
  /**
   * The instant from which blocks must exist, in milliseconds. A missing block that ends later is the finding
   * `removed`.
   */
  readonly keptSinceMs?: number;
  /** Opens the bytes of a block, to compare it with its entry. */
  readonly openBlock?: EntryAudit['openBlock'];
}

/** The result of an audit. The log is correct if there are no findings. */
export interface LogAudit {
  /** The tree of the log. `undefined` if its checkpoint is refused. */
  readonly head: LogHead | undefined;
  readonly findings: readonly LogFinding[];
}

const MAX_FINDINGS = 100;

const OPTIONS: OptionNames<VerifyLogOptions> = {
  keys: true,
  older: true,
  olderHeads: true,
  keptSinceMs: true,
  openBlock: true,
};

/**
 * Verifies a log from its first leaf to its last, in a limited memory.
 *
 * @throws {IdentityError} `invalid_configuration` for an unknown option.
 * @throws {Error} The error of the source.
 */
export async function verifyLog(source: LogSource, givenOptions: VerifyLogOptions): Promise<LogAudit> {
  const options = knownOptions('verifyLog', givenOptions, OPTIONS);
  const findings: LogFinding[] = [];
  const head = await openCheckpoint(source.checkpoint, options.keys);
  if (isProblem(head)) return { head: undefined, findings: [{ code: 'checkpoint', detail: head }] };
  const heads = await olderHeads(options, findings);
  for (const { origin, size } of heads) {
    if (origin !== head.origin || size > head.size) findings.push({ code: 'history', detail: size });
  }
  await walk({ source, head, known: heads, options, findings });
  return { head, findings };
}

function isProblem(checkpoint: LogHead | CheckpointProblem): checkpoint is CheckpointProblem {
  return typeof checkpoint === 'string';
}

async function olderHeads(
  { keys, older = [], olderHeads: options = [] }: VerifyLogOptions,
  findings: LogFinding[],
): Promise<readonly LogHead[]> {
  const checkpoints = await Promise.all(older.map((note) => openCheckpoint(note, keys)));
  for (const problem of checkpoints.filter(isProblem)) findings.push({ code: 'older', detail: problem });
  return [...checkpoints.filter((head): head is LogHead => !isProblem(head)), ...options];
}

interface Walk {
  readonly source: LogSource;
  readonly head: LogHead;
  readonly known: readonly LogHead[];
  readonly options: VerifyLogOptions;
  readonly findings: LogFinding[];
}

async function walk({ source, head, known, options, findings }: Walk): Promise<void> {
  const entries = source.entries?.()[Symbol.asyncIterator]();
  const ids = createIdSet({ expected: head.size });
  const audit = createEntryAudit(source, options, ids);
  const upper = createUpperTiles(head.size);
  let edge: Edge = EMPTY_EDGE;
  let hasText = false;
  compareOlder(edge);

  function compareOlder({ size, roots }: Edge): void {
    for (const older of known.filter((head) => head.size === size)) {
      if (!isSameHash(rootOf({ roots }), older.root)) findings.push({ code: 'history', detail: size });
    }
  }

  async function readEntry(index: number, leaf: Uint8Array): Promise<void> {
    const next = await entries?.next();
    if (next === undefined) return;
    if (next.done === true) {
      findings.push({ code: 'entries', index });
      return;
    }
    if (next.value === null) {
      // Texts are removed by age: none is missing after one that is there.
      if (hasText) findings.push({ code: 'removed', index });
      return;
    }
    hasText = true;
    if (!isSameHash(leafHash(new TextEncoder().encode(next.value)), leaf))
      findings.push({ code: 'leaf', index });
    for (const result of await audit.entry(next.value, index)) findings.push({ ...result, index });
  }

  while (edge.size < head.size && findings.length < MAX_FINDINGS) {
    const place = { level: 0, index: edge.size / TILE_WIDTH };
    const tile = { ...place, width: widthIn(head.size, place) };
    const bytes = await source.tile(tile);
    if (bytes?.length !== tile.width * HASH_BYTES) {
      findings.push({ code: 'tile', detail: tilePath(tile) });
      return;
    }
    for (let index = 0; index < tile.width; index += 1) {
      const leaf = hashInTile(bytes, index);
      await readEntry(edge.size, leaf);
      edge = appendLeaf(edge, leaf, upper.finished);
      compareOlder(edge);
    }
    await compareTiles(upper.whole());
  }
  if (edge.size < head.size) return;
  findings.push(...audit.rest());
  if (!isSameHash(rootOf(edge), head.root)) findings.push({ code: 'root', detail: head.size });
  if (entries !== undefined && (await entries.next()).done !== true) {
    findings.push({ code: 'entries', index: head.size });
  }
  await compareTiles(upper.rest());
  for (let pass = 1; pass < ids.passes; pass += 1) await lookAgain(pass);

  async function compareTiles(tiles: readonly UpperTile[]): Promise<void> {
    for (const { hashes, ...tile } of tiles) {
      const bytes = await source.tile(tile);
      const isWhole = bytes?.length === tile.width * HASH_BYTES;
      if (isWhole && hashes.every((hash, index) => isSameHash(hash, hashInTile(bytes, index)))) continue;
      findings.push({ code: 'tile', detail: tilePath(tile) });
    }
  }

  async function lookAgain(pass: number): Promise<void> {
    const againAudit = createEntryAudit(source, options, createIdSet({ pass, passes: ids.passes }));
    let index = 0;
    for await (const text of source.entries?.() ?? []) {
      for (const { code } of text === null ? [] : await againAudit.entry(text, index)) {
        const isKnown = findings.some((finding) => finding.code === code && finding.index === index);
        if (code === 'repeated' && !isKnown && findings.length < MAX_FINDINGS) findings.push({ code, index });
      }
      index += 1;
    }
  }
}

interface UpperTile extends Tile {
  readonly hashes: readonly Uint8Array[];
}

/** Collects the hashes above the leaves until they fill a tile, which limits the memory. */
function createUpperTiles(size: number): {
  readonly finished: Finished;
  whole(): readonly UpperTile[];
  rest(): readonly UpperTile[];
} {
  const levels: { index: number; hashes: Uint8Array[] }[] = [];
  let full: UpperTile[] = [];
  return {
    finished(height, root) {
      const level = height / TILE_HEIGHT;
      if (height === 0 || !Number.isInteger(level)) return;
      const ownLevel = levels[level] ?? { index: 0, hashes: [] };
      levels[level] = ownLevel;
      ownLevel.hashes.push(root);
      if (ownLevel.hashes.length < TILE_WIDTH) return;
      full.push({ level, index: ownLevel.index, width: TILE_WIDTH, hashes: ownLevel.hashes });
      ownLevel.hashes = [];
      ownLevel.index += 1;
    },
    whole() {
      const doneTiles = full;
      full = [];
      return doneTiles;
    },
    rest: () =>
      levels.flatMap(({ index, hashes }, level) => {
        const width = widthIn(size, { level, index });
        return hashes.length === 0 ? [] : [{ level, index, width, hashes }];
      }),
  };
}

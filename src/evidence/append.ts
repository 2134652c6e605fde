/** Appends entries (leaves) to the evidence log of an account. The write fails if another node was first. */
import { createBoundedMap } from '../base/bounded-map.ts';
import { fromPaddedBase64 } from '../base/bytes/base64.ts';
import type { Context } from '../core/shared/context.ts';
import type { LogOn } from '../core/shared/log-state.ts';
import { insert, replace } from '../core/storage/store.ts';
import type { LogSigner } from '../identity/log-signer.ts';
import { hashing } from '../platform/index.ts';
import type { Change } from '../ports/storage.ts';
import { TILE_WIDTH } from '../transparency-log/tiles.ts';
import type { LogHeadRecord } from './collections.ts';
import { createGrowth, type Leaf, newHead } from './grow.ts';
import { edgeOf, hasBegun, isAtEdge, isSignedHead, rootIn } from './head.ts';
import { tileId } from './log-reads.ts';

export type PlanLeaves = (head: LogHeadRecord | undefined) => readonly Leaf[];

/**
 * The result of an append. `stale`: something changed meanwhile, and nothing was appended. `damaged`: the
 * head, which is the stored size and signature of the log, does not match the tree or the keys. `gone`: the
 * account is being erased.
 */
export type Appended = 'appended' | 'nothing' | 'stale' | 'damaged' | 'gone';

/** Appends as many of the planned leaves as fit into one write. */
export type Append = (account_id: string, log: LogOn, plan: PlanLeaves) => Promise<Appended>;

const LEAST_KNOWN = 10_000;

export interface AppendParts {
  readonly keys: LogSigner;
  readonly publicUrl: string;
}

export function createAppend(
  context: Pick<Context, 'store' | 'clock' | 'random' | 'logState' | 'retentionDays'>,
  { keys, publicUrl }: AppendParts,
): Append {
  const { store } = context;
  const sound = createBoundedMap<string, string>(LEAST_KNOWN);
  const grow = createGrowth(context, keys);

  async function isSound(head: LogHeadRecord): Promise<boolean> {
    if (sound.get(head.id) === digestOf(head)) return true;
    const edge = edgeOf(head);
    if (edge === undefined || !(await isSignedHead(head, await keys()))) return false;
    const place = { level: 0, index: Math.floor(edge.size / TILE_WIDTH) };
    const tile = await store.get('log_tiles', tileId(head.log_id, place));
    return isAtEdge(edge, tile && fromPaddedBase64(tile.hashes));
  }

  async function isErased(account_id: string): Promise<boolean> {
    return (await store.get('accounts', account_id))?.erased_at !== undefined;
  }

  /**
   * Returns the reason why the tiles do not match the head. Tiles are read after the head, so they may belong to a
   * newer head.
   */
  async function failureOf({ id, version }: LogHeadRecord): Promise<'damaged' | 'stale'> {
    return (await store.get('log_heads', id))?.version === version ? 'damaged' : 'stale';
  }

  return async (account_id, log, plan) => {
    const base = await store.get('log_heads', account_id);
    if (base !== undefined && !(await isSound(base))) return failureOf(base);
    if (base === undefined && (await isErased(account_id))) return 'gone';
    const leaves = plan(base);
    if (leaves.length === 0) return 'nothing';
    const head = base ?? newHead(context, { account_id, publicUrl, on: log });
    const begin: Leaf = { content: { kind: 'begin', at: log.at }, subject: 'begin' };
    const growth = await grow(head, log, hasBegun(base, log) ? leaves : [begin, ...leaves]);
    if (growth === undefined) return failureOf(head);
    const { next, changes } = growth;
    if (!(await store.write(...headChanges(base, next), ...changes)).written) return 'stale';
    sound.set(account_id, digestOf(next));
    const { origin, size } = next;
    context.logState.trees.set(account_id, { origin, size, root: rootIn(next) });
    return 'appended';
  };
}

function headChanges(base: LogHeadRecord | undefined, next: LogHeadRecord): readonly Change[] {
  if (base !== undefined) return [replace('log_heads', next, base.version)];
  return [insert('log_heads', next), insert('log_heads', { ...next, id: next.log_id })];
}

function digestOf({ version, checkpoint, edge }: LogHeadRecord): string {
  return hashing.sha256Hex(JSON.stringify([version, checkpoint, edge]));
}

/** Public status lists: made on request, at most once in 60 s for each list. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { IdentityError } from '../../errors.ts';
import { isStatusListId } from '../../signing/status-list-id.ts';
import type { Context } from '../shared/context.ts';
import type { PublicPlaces } from '../storage/public-places.ts';
import { buildStatusList, createKnownSlots } from './build-status-list.ts';
import type { KnownLosses } from './lost-agents.ts';
import type { TokenSigner } from './token-signer.ts';

/** A status list token, and its age in seconds. */
export interface StatusListToken {
  readonly token: string;
  readonly age_seconds: number;
}

/** Reads status lists. */
export type ReadStatusList = (listId: string) => Promise<StatusListToken>;

/** The parts of the lists. */
export interface StatusListsOptions {
  readonly tokens: TokenSigner;
  readonly publicUrl: string;
  readonly publicPlaces: PublicPlaces;
}

/** The time for which a list may be cached: its `ttl`. */
const LIST_SECONDS = 60;

/** The time for which a missing list is remembered as missing. */
const MISS_MS = 5_000;

/** The characters of all cached lists together. */
const MAX_KEPT = 16 * 1024 * 1024;
const LEAST_MISSES = 1_000;
const LEAST_LOSSES = 10;

interface KeptList {
  readonly token: string;
  readonly madeAt: number;
}

/** Makes the function that reads the status lists of one service; a missing list is `not_found`. */
export function createStatusLists(context: Context, options: StatusListsOptions): ReadStatusList {
  const { store, clock } = context;
  const kept = keptLists();
  const places = createKnownSlots();
  const losses: KnownLosses = createBoundedMap(LEAST_LOSSES);
  const making = new Map<string, Promise<KeptList>>();
  const misses = createBoundedMap<string, number>(LEAST_MISSES);

  async function make(listId: string): Promise<KeptList> {
    const madeAt = clock.now();
    const list = await store.get('status_slots', listId);
    if (list === undefined || list.id !== list.list_id) {
      misses.set(listId, madeAt);
      throw notFound();
    }
    const made = {
      token: await buildStatusList(context, list, {
        ...options,
        places,
        losses,
        ttlSeconds: LIST_SECONDS,
        at: madeAt,
      }),
      madeAt,
    };
    // INVARIANT: a list that was erased meanwhile is not shown, because it lacks passports that are revoked.
    if ((await store.get('status_slots', listId)) === undefined) throw notFound();
    kept.set(listId, made);
    return made;
  }

  /** Makes a list once for all requests that come meanwhile. */
  function makeOnce(listId: string): Promise<KeptList> {
    const running = making.get(listId);
    if (running !== undefined) return running;
    const made = options.publicPlaces.take(() => make(listId)).finally(() => making.delete(listId));
    making.set(listId, made);
    return made;
  }

  return async (listId) => {
    const at = clock.now();
    const isMiss = isWithin(misses.get(listId), at, MISS_MS);
    if (!isStatusListId(listId) || isMiss) throw notFound();
    const found = kept.get(listId);
    const isFresh = isWithin(found?.madeAt, at, LIST_SECONDS * 1_000);
    const { token, madeAt } = found !== undefined && isFresh ? found : await makeOnce(listId);
    return { token, age_seconds: Math.max(0, Math.floor((clock.now() - madeAt) / 1_000)) };
  };
}

/** Says whether `madeAt` is less than `ms` ago. A clock that was set back extends nothing. */
function isWithin(madeAt: number | undefined, at: number, ms: number): boolean {
  return madeAt !== undefined && at >= madeAt && at - madeAt < ms;
}

/** Makes the cache of lists; drops the oldest one when they are too large together. */
function keptLists() {
  const lists = new Map<string, KeptList>();
  let size = 0;
  function remove(id: string): void {
    size -= lists.get(id)?.token.length ?? 0;
    lists.delete(id);
  }
  return {
    get: (id: string) => lists.get(id),
    set(id: string, list: KeptList) {
      remove(id);
      lists.set(id, list);
      size += list.token.length;
      for (const oldest of lists.keys()) {
        if (size <= MAX_KEPT) break;
        remove(oldest);
      }
    },
  };
}

function notFound(): IdentityError {
  return new IdentityError('not_found', 'There is no such status list.');
}

/** Serves public status lists. A list is created on request, at most once in 60 s. */

import { turn } from '../base/async/turns.ts';
import { type BoundedMap, createBoundedMap } from '../base/bounded-map.ts';
import { formatInstant } from '../base/values/instant.ts';
import { statusAt } from '../base/values/passport-status.ts';
import type { Context } from '../core/shared/context.ts';
import { everyPage, pageSize, recordsBy } from '../core/shared/record-lists.ts';
import type { PublicPlaces } from '../core/storage/public-reads.ts';
import { noSuch } from '../errors.ts';
import {
  STATUS_LIST_TYPE,
  statusArray,
  TOKEN_STATUS,
  toStatusListClaim,
} from '../tokens/signing/status-list.ts';
import { isStatusListId, STATUS_LIST_SIZE } from '../tokens/signing/status-list-id.ts';
import type { StatusSlotRecord } from './collections.ts';
import { agentsOfLostDomains, type KnownLosses } from './lost-agents.ts';
import type { TokenSigner } from './token-signer.ts';

/** A status list token, and its age in seconds. */
export interface StatusListToken {
  readonly token: string;
  readonly age_seconds: number;
}

/** Reads status lists. */
export type ReadStatusList = (listId: string) => Promise<StatusListToken>;

/** The dependencies of the status lists. */
export interface StatusListsOptions {
  readonly tokens: TokenSigner;
  readonly publicUrl: string;
  readonly publicPlaces: PublicPlaces;
}

const LIST_SECONDS = 60;

const MISS_MS = 5_000;

const MAX_KEPT = 16 * 1024 * 1024;
const LEAST_MISSES = 1_000;
const LEAST_LOSSES = 10;

interface KeptList {
  readonly token: string;
  readonly madeAt: number;
}

/** Creates the function that reads the status lists of one service. It throws `not_found` if a list does not exist. */
export function createStatusLists(
  context: Pick<Context, 'store' | 'clock'>,
  options: StatusListsOptions,
): ReadStatusList {
  const { store, clock } = context;
  const listStore = keptLists();
  const places = createKnownSlots();
  const losses: KnownLosses = createBoundedMap(LEAST_LOSSES);
  const making = new Map<string, Promise<KeptList>>();
  const misses = createBoundedMap<string, number>(LEAST_MISSES);

  async function make(listId: string): Promise<KeptList> {
    const madeAt = clock.now();
    const list = await store.get('status_slots', listId);
    if (list === undefined || list.id !== list.list_id) {
      misses.set(listId, madeAt);
      throw noSuch('status list');
    }
    const result = {
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
    if ((await store.get('status_slots', listId)) === undefined) throw noSuch('status list');
    listStore.set(listId, result);
    return result;
  }

  function makeOnce(listId: string): Promise<KeptList> {
    const running = making.get(listId);
    if (running !== undefined) return running;
    const listPromise = options.publicPlaces.take(() => make(listId)).finally(() => making.delete(listId));
    making.set(listId, listPromise);
    return listPromise;
  }

  return async (listId) => {
    const atMs = clock.now();
    const isMiss = isWithin(misses.get(listId), atMs, MISS_MS);
    if (!isStatusListId(listId) || isMiss) throw noSuch('status list');
    const list = listStore.get(listId);
    const isFresh = isWithin(list?.madeAt, atMs, LIST_SECONDS * 1_000);
    const { token, madeAt } = list !== undefined && isFresh ? list : await makeOnce(listId);
    return { token, age_seconds: Math.max(0, Math.floor((clock.now() - madeAt) / 1_000)) };
  };
}

/** Returns `true` if `madeAt` is less than `ms` ago, and `false` if the clock was set back since. */
function isWithin(madeAt: number | undefined, atMs: number, ms: number): boolean {
  return madeAt !== undefined && atMs >= madeAt && atMs - madeAt < ms;
}

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

interface StatusListPlan {
  readonly tokens: TokenSigner;
  readonly publicUrl: string;
  /** The start of the work, in milliseconds. The list contains every change that was acknowledged before this start. */
  readonly at: number;
  readonly places: KnownSlots;
  readonly losses: KnownLosses;
  readonly ttlSeconds: number;
}

type KnownSlots = BoundedMap<string, KnownSlot>;

type KnownSlot = Pick<StatusSlotRecord, 'list_id' | 'status_index'>;

/** The bits of a status: two, because suspension is a separate status. */
const BITS = 2;

const LIFE_SECONDS = 3_600;

/** The number of passports or slots in one read. Each read blocks the event loop for some milliseconds at most. */
const PAGE = 250;
const PIECE = 50;

function createKnownSlots(): KnownSlots {
  return createBoundedMap(50_000);
}

async function buildStatusList(
  context: Pick<Context, 'store'>,
  { account_id, list_id }: StatusSlotRecord,
  plan: StatusListPlan,
): Promise<string> {
  const instant = formatInstant(plan.at);
  const { bytes, set } = statusArray(BITS, STATUS_LIST_SIZE);
  async function mark(agents: readonly string[], value: number): Promise<void> {
    for (const place of await placesOf(context, agents, plan.places)) {
      if (place.list_id === list_id && place.status_index !== null) set(place.status_index, value);
    }
  }
  // INVARIANT: suspended before revoked. A passport that is revoked while the list is made is found by one of the two
  // reads.
  for (const status of ['suspended', 'revoked'] as const) {
    const value = status === 'revoked' ? TOKEN_STATUS.invalid : TOKEN_STATUS.suspended;
    const passports = recordsBy(context.store, 'passports', { account_id, status });
    for await (const page of everyPage(passports, pageSize(PAGE))) {
      const blockedPassports = page
        .filter((passport) => statusAt(passport, instant) === status)
        .map(({ id }) => id);
      await mark(blockedPassports, value);
    }
  }
  await mark(await agentsOfLostDomains(context, account_id, plan.losses), TOKEN_STATUS.invalid);
  const uri = `${plan.publicUrl}/status/${list_id}`;
  const iat = Math.floor(plan.at / 1_000);
  const { token } = await plan.tokens.sign(STATUS_LIST_TYPE, {
    iss: plan.publicUrl,
    sub: uri,
    iat,
    exp: iat + LIFE_SECONDS,
    ttl: plan.ttlSeconds,
    status_list: await toStatusListClaim(BITS, bytes),
  });
  return token;
}

async function placesOf(
  { store }: Pick<Context, 'store'>,
  ids: readonly string[],
  places: KnownSlots,
): Promise<readonly KnownSlot[]> {
  const slots: KnownSlot[] = [];
  const unknown: string[] = [];
  for (const id of ids) {
    const slot = places.get(id);
    if (slot === undefined) unknown.push(id);
    else slots.push(slot);
  }
  for (let start = 0; start < unknown.length; start += PIECE) {
    const piece = unknown.slice(start, start + PIECE);
    for (const record of await Promise.all(piece.map((id) => store.get('status_slots', id)))) {
      if (record === undefined) continue;
      const { id, list_id, status_index } = record;
      // Not read from the cache again, which may drop an entry at any time.
      slots.push({ list_id, status_index });
      places.set(id, { list_id, status_index });
    }
    await turn();
  }
  return slots;
}

/** Makes a status list from the passports of its account that are revoked or suspended now. */

import { turn } from '../../base/async/turns.ts';
import { type BoundedMap, createBoundedMap } from '../../base/bounded-map.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { statusAt } from '../../base/values/passport-status.ts';
import { STATUS_LIST_TYPE, statusArray, TOKEN_STATUS, toStatusListClaim } from '../../signing/status-list.ts';
import { STATUS_LIST_SIZE } from '../../signing/status-list-id.ts';
import type { Context } from '../shared/context.ts';
import { everyPage, pageSize, recordsBy } from '../shared/record-lists.ts';
import type { StatusSlotRecord } from './collections.ts';
import { agentsOfLostDomains, type KnownLosses } from './lost-agents.ts';
import type { TokenSigner } from './token-signer.ts';

/** The signature of a list, and the state at its start. */
export interface StatusListPlan {
  readonly tokens: TokenSigner;
  readonly publicUrl: string;
  /**
   * The instant at which the work began, in milliseconds. The list contains every change that was acknowledged before
   * it.
   */
  readonly at: number;
  /** The known slots, by agent: a slot never changes. */
  readonly places: KnownSlots;
  /** The known agents of lost domains. */
  readonly losses: KnownLosses;
  /** The `ttl` of the list. */
  readonly ttlSeconds: number;
}

/** The slots of agents that were read. */
export type KnownSlots = BoundedMap<string, KnownSlot>;

type KnownSlot = Pick<StatusSlotRecord, 'list_id' | 'status_index'>;

/** The bits of a status: two, because suspension is its own status. */
const BITS = 2;

/** The longest validity of a list. */
const LIFE_SECONDS = 3_600;

/**
 * The number of passports, and of slots, that are read at a time: each blocks the event loop for some milliseconds at
 * most.
 */
const PAGE = 250;
const PIECE = 50;

/** Makes a cache of slots. */
export function createKnownSlots(): KnownSlots {
  return createBoundedMap(50_000);
}

/** Makes the token of the list whose own record is `list`. Yields to the event loop after each piece. */
export async function buildStatusList(
  context: Context,
  { account_id, list_id }: StatusSlotRecord,
  plan: StatusListPlan,
): Promise<string> {
  const at = formatInstant(plan.at);
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
      const blocked = page.filter((passport) => statusAt(passport, at) === status).map(({ id }) => id);
      await mark(blocked, value);
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

/** Returns the slots of these agents; one without a signed passport has none. Asks the storage a piece at a time. */
async function placesOf(
  { store }: Context,
  ids: readonly string[],
  places: KnownSlots,
): Promise<readonly KnownSlot[]> {
  const found: KnownSlot[] = [];
  const unknown: string[] = [];
  for (const id of ids) {
    const known = places.get(id);
    if (known === undefined) unknown.push(id);
    else found.push(known);
  }
  for (let from = 0; from < unknown.length; from += PIECE) {
    const piece = unknown.slice(from, from + PIECE);
    for (const record of await Promise.all(piece.map((id) => store.get('status_slots', id)))) {
      if (record === undefined) continue;
      const { id, list_id, status_index } = record;
      // Not read from the cache again, which may drop an entry at any time.
      found.push({ list_id, status_index });
      places.set(id, { list_id, status_index });
    }
    await turn();
  }
  return found;
}

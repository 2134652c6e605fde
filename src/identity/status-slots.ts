/** Assigns slots of status lists (Token Status List) to passports. An agent always keeps its slot. */
import { createBoundedMap } from '../base/bounded-map.ts';
import {
  type DrawnPlaces,
  NO_PLACES,
  type SendSteps,
  type SlotOwner,
  type StatusSlots,
} from '../core/passports/status-slots.ts';
import type { Context } from '../core/shared/context.ts';
import { answered, groupSteps, type StepGroup } from '../core/storage/step-groups.ts';
import { insert, notWritten } from '../core/storage/store.ts';
import type { Change } from '../ports/storage.ts';
import { STATUS_LIST_SIZE, statusListId } from '../tokens/signing/status-list-id.ts';
import type { StatusSlotRecord } from './collections.ts';

/** The list and the index of the status of a passport. */
export interface StatusSlot {
  readonly list_id: string;
  readonly status_index: number;
}

/** Assigns slots, and finds the slot of a passport. */
export interface OwnSlots extends StatusSlots {
  /** Returns the slot of a passport, and assigns one first if it has none. */
  of(owner: SlotOwner): Promise<StatusSlot>;
}

/**
 * The maximum number of passports in a list. At least half of the slots stay free, so a random slot is free at least
 * every second time.
 */
const MAX_PASSPORTS = 500_000;

const MAX_TRIES = 5;

const LEAST_KNOWN = 20_000;

/** Creates the object that assigns slots in status lists for one service. */
export function createStatusSlots({ store, random }: Pick<Context, 'store' | 'random'>): OwnSlots {
  const cache = createBoundedMap<string, StatusSlot>(LEAST_KNOWN);
  /** The number of the first list that may have free slots, for each account. */
  const openLists = createBoundedMap<string, number>(LEAST_KNOWN);

  function statusListOf({ account_id }: Pick<SlotOwner, 'account_id'>): string {
    return statusListId(account_id, openLists.get(account_id) ?? 1);
  }

  function draw(account_id: string): StatusSlot {
    const [high = 0, middle = 0, low = 0] = random.bytes(3);
    const status_index = ((high << 16) | (middle << 8) | low) % STATUS_LIST_SIZE;
    return { list_id: statusListOf({ account_id }), status_index };
  }

  /** Writes with one random slot. Returns the answer and the slot, or `undefined` if another slot must be tried. */
  async function attempt(owner: SlotOwner, steps: readonly Change[], write: SendSteps) {
    const slot = draw(owner.account_id);
    const groups = groupSteps<'own' | 'list' | 'place' | 'agent'>(
      ['own', steps],
      ['list', listSteps(slot.list_id, owner, 1)],
      ['place', [takePlace(slot, owner)]],
      ['agent', [giveAgent(slot, owner)]],
    );
    const answer = await write(groups.changes);
    const [first] = groups.failed(answer);
    if (answer.written) cache.set(owner.id, slot);
    // The list is of another account, or full.
    if (first === 'list') openLists.set(owner.account_id, (openLists.get(owner.account_id) ?? 1) + 1);
    const isDone = answer.written || first === 'own' || first === 'agent';
    return isDone ? groups.of('own', answer) : undefined;
  }

  function drawn(sharedChanges: readonly Change[], places: readonly Place[]): DrawnPlaces {
    const groups = groupSteps<'list' | 'agent' | Place>(
      ['list', sharedChanges],
      ...places.flatMap(placeGroups),
    );
    return {
      steps: groups.changes,
      redrawn(answer) {
        const failures = groups.failed(answer);
        if (failures.has('list') || failures.has('agent')) return undefined;
        const draws = places.map((place) =>
          failures.has(place) ? { ...place, slot: draw(place.owner.account_id) } : place,
        );
        return drawn(sharedChanges, draws);
      },
      keep() {
        for (const { owner, slot } of places) cache.set(owner.id, slot);
      },
    };
  }

  return {
    async writeWith(owner, steps, write) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const result = await attempt(owner, steps, write);
        if (result !== undefined) return result;
      }
      return write(steps);
    },

    placesFor(owners) {
      const [first] = owners;
      if (first === undefined) return NO_PLACES;
      const places = owners.map((owner) => ({ owner, slot: draw(owner.account_id) }));
      return drawn(listSteps(statusListOf(first), first, owners.length), places);
    },

    async of(owner) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const slot = cache.get(owner.id) ?? slotOf(await store.get('status_slots', owner.id));
        if (slot !== undefined) {
          cache.set(owner.id, slot);
          return slot;
        }
        await attempt(owner, [], async (steps) => answered(await store.write(...steps)));
      }
      throw notWritten();
    },
  };
}

interface Place {
  readonly owner: SlotOwner;
  readonly slot: StatusSlot;
}

function placeGroups(place: Place): readonly StepGroup<'agent' | Place>[] {
  const { owner, slot } = place;
  return [
    [place, [takePlace(slot, owner)]],
    ['agent', [giveAgent(slot, owner)]],
  ];
}

function slotOf(record: StatusSlotRecord | undefined): StatusSlot | undefined {
  const { list_id = '', status_index = null } = record ?? {};
  return status_index === null ? undefined : { list_id, status_index };
}

function listSteps(list_id: string, owner: SlotOwner, delta: number): readonly Change[] {
  const record: StatusSlotRecord = {
    ...slotRecord({ list_id, status_index: null }, owner),
    id: list_id,
    agent_id: null,
  };
  return [
    { op: 'claim', collection: 'status_slots', record },
    { op: 'add', counter: `slots:${list_id}`, by: delta, max: MAX_PASSPORTS, at: owner.created_at },
  ];
}

function takePlace(slot: StatusSlot, owner: SlotOwner): Change {
  return insert('status_slots', { ...slotRecord(slot, owner), id: `${slot.list_id}:${slot.status_index}` });
}

function giveAgent(slot: StatusSlot, owner: SlotOwner): Change {
  return insert('status_slots', { ...slotRecord(slot, owner), id: owner.id });
}

function slotRecord(
  { list_id, status_index }: Pick<StatusSlotRecord, 'list_id' | 'status_index'>,
  { id: agent_id, account_id, created_at }: SlotOwner,
): Omit<StatusSlotRecord, 'id'> {
  return { account_id, version: 1, created_at, list_id, status_index, agent_id };
}

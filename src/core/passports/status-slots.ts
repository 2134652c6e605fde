/** The slots of status lists, as the core sees them. The capability `identity` assigns them. */
import type { Change } from '../../ports/storage.ts';
import type { StepsAnswer } from '../storage/step-groups.ts';
import type { PassportRecord } from './collections.ts';

export type SlotOwner = Pick<PassportRecord, 'id' | 'account_id' | 'created_at'>;

/** Assigns slots of status lists to passports. */
export interface StatusSlots {
  /**
   * Writes `steps` together with steps that assign a slot to the passport. Tries several slots, and finally writes
   * without a slot. The passport then gets its slot when it is first signed. Returns the results of `steps` only.
   */
  writeWith(owner: SlotOwner, steps: readonly Change[], write: SendSteps): Promise<StepsAnswer>;
  /** Chooses random slots for new passports of one account. */
  placesFor(owners: readonly SlotOwner[]): DrawnPlaces;
}

/** Slots of a status list that were chosen at random and are not yet stored. */
export interface DrawnPlaces {
  readonly steps: readonly Change[];
  /**
   * Chooses other slots if `answer`, the result of the write with `steps`, shows that some slots were taken.
   * Returns `undefined` if the write failed because of the list or because an agent already has a slot.
   */
  redrawn(answer: StepsAnswer): DrawnPlaces | undefined;
  /** Keeps the slots in memory, after they were written. */
  keep(): void;
}

export type SendSteps = (steps: readonly Change[]) => Promise<StepsAnswer>;

/** The places of no passports. */
export const NO_PLACES: DrawnPlaces = { steps: [], redrawn: () => undefined, keep: () => undefined };

/** Assigns no slots, because the service signs no passports. */
export const NO_SLOTS: StatusSlots = {
  writeWith: (_owner, steps, write) => write(steps),
  placesFor: () => NO_PLACES,
};

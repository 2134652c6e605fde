/** Holds that are over: the first process that notices one gives it back, once. */
import type { SpendRecord } from '../../ports/stored-records.ts';
import type { Context } from '../shared/context.ts';
import { createSweep } from '../shared/sweep.ts';
import { lapse } from './settle.ts';

/** Gives back what is held for too long. */
export interface Lapses {
  /** All that is due at this instant of the store, in milliseconds since the Unix epoch; how many there were. */
  lapseDue(at: number): Promise<number>;
  /** One that is due; the record is as it was read. `false`: it has changed meanwhile. */
  lapseOne(record: SpendRecord, at: number): Promise<boolean>;
  /** Stops looking for them by itself. */
  stop(): Promise<void>;
}

/** The lapses of one service, which looks for them every minute. */
export function createLapses(context: Context): Lapses {
  const { store, retentionDays } = context;

  async function lapseOne(record: SpendRecord, at: number): Promise<boolean> {
    const { changes } = lapse(record, { at, retentionDays });
    return (await store.write(...changes)).written;
  }

  const message = 'Holds that are over could not be given back.';
  const sweep = createSweep(context, { collection: 'spends', settle: lapseOne, message });
  return { lapseDue: sweep.run, lapseOne, stop: sweep.stop };
}

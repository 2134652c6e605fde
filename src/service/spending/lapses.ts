/** Holds that are over: the first process that notices one gives it back, once. */
import type { SpendRecord } from '../../ports/stored-spends.ts';
import type { Context } from '../shared/context.ts';
import { createSweep } from '../shared/sweep.ts';
import { lapse } from './settle.ts';

/** Gives back what is held for too long. */
export interface Lapses {
  /** How many holds below a topmost agent were given back up to now. */
  lapsed(root_agent_id: string): number;
  /**
   * Gives back what is due of the chains below a topmost agent at this instant of the store, in milliseconds since the Unix
   * epoch. Whether anything was given back after `lapsed` gave `since`.
   */
  lapseBelow(root_agent_id: string, at: number, since: number): Promise<boolean>;
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
  return {
    lapsed: (root_agent_id) => sweep.settled({ root_agent_id }),
    lapseBelow: (root_agent_id, at, since) => sweep.run(at, { root_agent_id }, since),
    lapseOne,
    stop: sweep.stop,
  };
}

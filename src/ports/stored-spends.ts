/** The records of spends: what an ALLOW took from which budget. */

import type { Environment, Instant, SpendStatus } from '../records.ts';
import type { RecordBase } from './stored.ts';

/** A budget that a spend took from, and what goes back there when it is released. */
export type SpendTaking = {
  /** The counter of what is spent or held, and that of what is held. */
  readonly used: string;
  readonly held: string;
  /** What was taken, in the unit of the counters. */
  readonly by: number;
  /** Whether the unit is that of money; else it is one intent. */
  readonly is_money: boolean;
  /** When the counters end; `null`: never. */
  readonly expires_at: Instant | null;
};

/** What an ALLOW spent or holds. `id` is the `decision_id`. Amounts are canonical decimal text, `null` without an amount. */
export type SpendRecord = RecordBase & {
  readonly agent_id: string;
  /** The topmost agent of its chain: all that can hold from a budget of the chain have the same one. */
  readonly root_agent_id?: string;
  readonly environment: Environment;
  readonly status: SpendStatus;
  readonly amount: string | null;
  readonly released_amount: string | null;
  /** What was committed; `null` before that. */
  readonly committed_amount: string | null;
  /** Whether that was all that was held. */
  readonly committed_whole: boolean;
  readonly currency: string | null;
  /** How many decimals a unit of money stands for. */
  readonly decimals: number;
  /** `null` for what was spent at once. */
  readonly held_until: Instant | null;
  /** `held_until` as long as it is held. */
  readonly due_at?: Instant;
  readonly updated_at: Instant;
  /** When it may be removed; absent as long as it is held. */
  readonly expires_at?: Instant;
  readonly takings: readonly SpendTaking[];
};

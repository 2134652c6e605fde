/** The memory of one process for used permits. */
import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import { wholeNumber } from '../../base/values/whole-number.ts';
import { IdentityError } from '../../errors.ts';

/**
 * Notes that a permit is used: `true` exactly the first time for this `jti`, remembered until `untilMs` (milliseconds
 * since the epoch) at least. `nowMs` is the present by the clock of the verifier. Anything else, and a rejection,
 * refuses the permit.
 */
export type Once = (jti: string, untilMs: number, nowMs?: number) => boolean | Promise<boolean>;

/** The options of a memory. */
export interface RememberOnceOptions {
  /** The most permits that are remembered at a time, 1 to 10,000,000; default 100,000. */
  readonly max?: number;
}

const OPTIONS: OptionNames<RememberOnceOptions> = { max: true };
const MAX = 10_000_000;

/** The time between two walks over the memory. */
const SWEEP_MS = 1_000;

/**
 * Makes a memory of one process. A resource with several processes needs a store that they share.
 *
 * It forgets nothing early. When it is full it throws, and the action is refused. It uses the time of the verifier
 * that calls it, and otherwise the time of the machine.
 */
export function rememberOnce(options: RememberOnceOptions = {}): Once {
  const { max = 100_000 } = knownOptions('rememberOnce', options, OPTIONS);
  wholeNumber('rememberOnce: max', max, { from: 1, to: MAX });
  const used = new Map<string, number>();
  let sweptAt = 0;
  return (jti, untilMs, now = Date.now()) => {
    if (now >= sweptAt + SWEEP_MS) {
      for (const [id, until] of used) if (until <= now) used.delete(id);
      sweptAt = now;
    }
    if (used.has(jti)) return false;
    if (used.size >= max) throw new IdentityError('overloaded', 'rememberOnce: too many permits are in use.');
    used.set(jti, untilMs);
    return true;
  };
}

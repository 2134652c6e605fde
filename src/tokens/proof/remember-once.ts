/** Remembers used permits in the memory of one process. */
import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import { wholeNumber } from '../../base/values/whole-number.ts';
import { IdentityError } from '../../errors.ts';

/**
 * Marks a permit as used. Returns `true` only the first time for this `jti`. The function must remember the `jti` at
 * least until `untilMs` (milliseconds since the Unix epoch). `nowMs` is the current time of the verifier. If the
 * function returns any other value or rejects, the permit is refused.
 */
export type Once = (jti: string, untilMs: number, nowMs?: number) => boolean | Promise<boolean>;

/** The options of `rememberOnce`. */
export interface RememberOnceOptions {
  /** The maximum number of remembered permits, 1 to 10,000,000; default 100,000. */
  readonly max?: number;
}

const OPTIONS: OptionNames<RememberOnceOptions> = { max: true };
const MAX = 10_000_000;

const SWEEP_MS = 1_000;

/**
 * Creates a memory of used permits for one process. A resource with several processes needs a store that they share.
 *
 * The memory never forgets a permit early. If the memory is full, it throws, and the action is refused. The memory uses
 * the time that the verifier passes, or otherwise the time of the computer.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 */
export function rememberOnce(options: RememberOnceOptions = {}): Once {
  const { max = 100_000 } = knownOptions('rememberOnce', options, OPTIONS);
  wholeNumber('rememberOnce: max', max, { from: 1, to: MAX });
  const usedIds = new Map<string, number>();
  let sweptAt = 0;
  return (jti, untilMs, now = Date.now()) => {
    if (now >= sweptAt + SWEEP_MS) {
      for (const [id, endMs] of usedIds) if (endMs <= now) usedIds.delete(id);
      sweptAt = now;
    }
    if (usedIds.has(jti)) return false;
    if (usedIds.size >= max)
      throw new IdentityError('overloaded', 'rememberOnce: too many permits are in use.');
    usedIds.set(jti, untilMs);
    return true;
  };
}

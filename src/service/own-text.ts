import type { Reason } from '../records.ts';

/**
 * The text without what it was cut from. In V8 a piece of a text keeps all of it: a name of thirty characters that
 * is remembered for a day would hold the whole body of its request, 64 KiB of it or more.
 */
export function ownText(text: string): string {
  // The sum is a text of its own, and no longer than what is cut from it.
  return `${text} `.slice(0, -1);
}

/** The reasons with texts of their own. A frozen reason is the same for every question: it tells of none. */
export function ownReasons(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.map((reason) => {
    if (Object.isFrozen(reason)) return reason;
    const own: Record<string, Reason[string]> = { ...reason };
    for (const name in own) {
      const fact = own[name];
      if (typeof fact === 'string') own[name] = ownText(fact);
    }
    return own as Reason;
  });
}

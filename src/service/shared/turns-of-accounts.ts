/** Records of many accounts in turns: of each its first, then of each its second. */

/** One round of turns. */
export interface Turns<Kept> {
  add(record: Kept): void;
  /** The records that were added, one of each account after the other. */
  records(): readonly Kept[];
  /** Whether an account had more than it may have in a round: the rest is left out. */
  hasSkipped(): boolean;
}

/** The most of an account in one round. */
const MAX_IN_A_ROUND = 100;

/** A round without records. */
export function inTurns<Kept extends { readonly account_id: string }>(): Turns<Kept> {
  const counts = new Map<string, number>();
  const turns: Kept[][] = [];
  let isSkipping = false;
  return {
    add(record) {
      const count = counts.get(record.account_id) ?? 0;
      if (count === MAX_IN_A_ROUND) {
        isSkipping = true;
        return;
      }
      counts.set(record.account_id, count + 1);
      const own = turns[count] ?? [];
      turns[count] = own;
      own.push(record);
    },
    records: () => turns.flat(),
    hasSkipped: () => isSkipping,
  };
}

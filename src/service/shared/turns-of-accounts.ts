/** Orders records of many accounts in turns: first the first record of each account, then the second of each. */

/** One round of turns. */
export interface Turns<Kept> {
  add(record: Kept): void;
  /** Returns the records in turns. */
  records(): readonly Kept[];
  /** Returns `true` if an account had more records than a round takes; the rest is left out. */
  hasSkipped(): boolean;
}

/** The maximum number of records of an account in a round. */
const MAX_IN_A_ROUND = 100;

/** Creates an empty round. */
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

/** A plain list of holds with usage, and what two budgets say by it: one of tokens for an hour, one of money for a day. */

/** An amount of each budget: tokens, and cents. */
export type Pair = readonly [tokens: number, cents: number];

/** A budget of the list. */
export interface BookBudget {
  readonly name: string;
  readonly limit: number;
  readonly warn: number;
  readonly ms: number;
}

export const BUDGETS: readonly [BookBudget, BookBudget] = [
  { name: 'tokens', limit: 2_000, warn: 0.8, ms: 3_600_000 },
  { name: 'money', limit: 9_000, warn: 0.5, ms: 86_400_000 },
];

interface Entry {
  readonly created: number;
  readonly allowed: Pair;
  status: 'held' | 'committed' | 'released' | 'lapsed';
  until: number;
  net: Pair;
}

type Answer = 'ok' | 'conflict' | 'spend_lapsed';

const WEEK_MS = 604_800_000;

export class MeteredBook {
  readonly entries: Entry[] = [];
  readonly events: string[] = [];
  readonly #marks = new Set<string>();

  /** Ends the holds that are over. */
  lapse(at: number): void {
    for (const entry of this.entries) {
      if (entry.status !== 'held' || entry.until > at) continue;
      entry.status = 'lapsed';
      entry.net = [0, 0];
    }
  }

  /** Returns spent and held of a budget in the window of an instant. */
  used(place: 0 | 1, at: number): Pair {
    const { ms } = BUDGETS[place];
    const window = Math.floor(at / ms);
    let [spent, held] = [0, 0];
    for (const { created, status, net } of this.entries) {
      if (Math.floor(created / ms) !== window) continue;
      if (status === 'held') held += net[place];
      else spent += net[place];
    }
    return [spent, held];
  }

  /** Returns the names of the budgets that are exceeded; notes the spend if none is. */
  ask(allowed: Pair, at: number, holdSeconds: number | undefined): readonly string[] {
    const over = BUDGETS.filter(({ limit }, index) => {
      const place = index as 0 | 1;
      const [spent, held] = this.used(place, at);
      return spent + held + allowed[place] > limit;
    });
    if (over.length > 0) return over.map(({ name }) => name);
    const status = holdSeconds === undefined ? 'committed' : 'held';
    const until = at + (holdSeconds ?? 0) * 1_000;
    this.entries.push({ created: at, allowed, status, until, net: allowed });
    this.#warn(at, [true, true]);
    return [];
  }

  commit(entry: Entry, asked: Pair): Answer {
    if (entry.status === 'lapsed') return 'spend_lapsed';
    if (entry.status === 'released') return 'conflict';
    const { net } = entry;
    if (entry.status === 'committed')
      return asked.every((one, place) => one === net[place]) ? 'ok' : 'conflict';
    if (asked.some((one, place) => one > 10 * (net[place] ?? 0))) return 'conflict';
    entry.status = 'committed';
    entry.net = asked;
    this.#warn(entry.created, [asked[0] > net[0], asked[1] > net[1]]);
    return 'ok';
  }

  release(entry: Entry): Answer {
    if (entry.status === 'lapsed') return 'spend_lapsed';
    if (entry.status === 'released') return 'conflict';
    entry.status = 'released';
    entry.net = [0, 0];
    return 'ok';
  }

  extend(entry: Entry, seconds: number, at: number): Answer {
    if (entry.status === 'lapsed') return 'spend_lapsed';
    const end = at + seconds * 1_000;
    if (entry.status !== 'held' || end > entry.created + WEEK_MS) return 'conflict';
    entry.until = Math.max(entry.until, end);
    return 'ok';
  }

  #warn(at: number, isCharged: readonly [boolean, boolean]): void {
    for (const [index, { name, limit, warn, ms }] of BUDGETS.entries()) {
      const place = index as 0 | 1;
      const [spent, held] = this.used(place, at);
      const mark = `${name} ${Math.floor(at / ms)}`;
      if (!isCharged[place] || spent + held < warn * limit || this.#marks.has(mark)) continue;
      this.#marks.add(mark);
      this.events.push(`${name} ${spent} ${held}`);
    }
  }
}

/** Finds repeated ids in a limited memory, in several passes if necessary. */

/** The ids of one pass. */
export interface IdSet {
  /** Returns `true` if the id occurs for the first time. Always returns `true` for an id that another pass handles. */
  isFirst(id: string): boolean;
  /** The number of passes that together handle all ids. */
  readonly passes: number;
}

/** The maximum number of slots in the table: 32 MiB. At most half of them are used. */
const MAX_PLACES = 2 ** 22;
const FIRST_PLACES = 2 ** 12;

/** The settings of a set. */
export interface IdSetOptions {
  /** The number of the pass, from 0. Only the first pass finds out how many passes are needed. */
  readonly pass?: number;
  readonly passes?: number;
  /**
   * The number of ids for which the table has room from the start. Growing a table later needs memory for two tables.
   */
  readonly expected?: number;
  readonly maxPlaces?: number;
}

export function createIdSet({
  pass = 0,
  passes = 1,
  expected = 0,
  maxPlaces = MAX_PLACES,
}: IdSetOptions = {}): IdSet {
  // There is a later pass only where the ids of each fill a table.
  let table = newTable(pass > 0 ? maxPlaces : Math.min(placesFor(expected), maxPlaces));
  let parts = passes;
  let takenCount = 0;

  function add(high: number, low: number): boolean {
    const { places, words } = table;
    for (let place = high & (places - 1); ; place = (place + 1) & (places - 1)) {
      const atMs = 2 * place;
      if (words[atMs] === 0 && words[atMs + 1] === 0) {
        words[atMs] = high;
        words[atMs + 1] = low;
        takenCount += 1;
        return true;
      }
      if (words[atMs] === high && words[atMs + 1] === low) return false;
    }
  }

  function makeRoom(): void {
    const { places, words } = table;
    if (places === maxPlaces && pass > 0) return;
    if (places === maxPlaces) parts *= 2;
    table = newTable(places === maxPlaces ? places : 2 * places);
    takenCount = 0;
    for (let index = 0; index < words.length; index += 2) {
      const [high = 0, low = 0] = [words[index], words[index + 1]];
      if ((high !== 0 || low !== 0) && low % parts === pass) add(high, low);
    }
  }

  return {
    isFirst(id) {
      const [high, low] = fingerprint(id);
      if (low % parts !== pass) return true;
      if (2 * takenCount >= table.places) makeRoom();
      if (low % parts !== pass || takenCount + 1 >= table.places) return true;
      return add(high, low);
    },
    get passes() {
      return parts;
    },
  };
}

function placesFor(ids: number): number {
  return Math.max(FIRST_PLACES, 2 ** Math.ceil(Math.log2(2 * ids + 1)));
}

function newTable(places: number): { readonly places: number; readonly words: Uint32Array } {
  return { places, words: new Uint32Array(2 * places) };
}

function fingerprint(id: string): readonly [high: number, low: number] {
  let [high, low] = [0x9e3779b9, 0x85ebca6b];
  for (let index = 0; index < id.length; index += 1) {
    const unit = id.charCodeAt(index);
    high = Math.imul(high ^ unit, 0xcc9e2d51);
    high = (high << 15) | (high >>> 17);
    low = Math.imul(low + unit, 0x1b873593);
    low = (low << 13) | (low >>> 19);
  }
  return [mixed(high ^ id.length) || 1, mixed(low)];
}

function mixed(word: number): number {
  let mix = word;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

/** Stores the values in the reasons of a block (facts) in sequence, each as a number. */
import { amountText } from '../base/values/money.ts';
import type { Amount } from '../records.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { createNames } from './names.ts';
import type { Fact } from './reasons.ts';

/** The numbers of the facts that need no text: the amount of the record, `true`, `false` and `null`. */
const AMOUNT = 0;
const PLAIN: readonly Fact[] = [null, true, false];
const FIRST_TEXT = 1 + PLAIN.length;

/** The maximum size of a fact as text in bytes. */
export const MAX_FACT_BYTES = 1_024;
const BYTES_PER_UNIT = 3;
const encoder = new TextEncoder();
const oneFact = new Uint8Array(MAX_FACT_BYTES);

function cutFact(text: string): string {
  if (text.length * BYTES_PER_UNIT <= MAX_FACT_BYTES) return text;
  return text.slice(0, encoder.encodeInto(text, oneFact).read);
}

/** Collects the facts of reasons while a block is built. */
export interface FactColumn {
  size(): number;
  add(facts: readonly Fact[], amount: Amount | null): void;
  /** Returns the number of facts so far. */
  length(): number;
  /** Writes all texts, then the numbers of the facts in these ranges. */
  write(writer: ByteWriter, places: Iterable<readonly [from: number, to: number]>): void;
  clear(): void;
}

/** Creates an empty column of facts. */
export function createFacts(): FactColumn {
  const names = createNames();
  let numbers: number[] = [];

  function numberOf(fact: Fact, amount: Amount | null): number {
    if (typeof fact === 'string') {
      if (amount !== null && fact === amountText(amount)) return AMOUNT;
      return FIRST_TEXT + 2 * names.numberOf(cutFact(fact));
    }
    // A member that is missing has no JSON: its record must be stored all the same.
    const plain = PLAIN.indexOf(fact ?? null);
    return plain >= 0 ? 1 + plain : FIRST_TEXT + 2 * names.numberOf(JSON.stringify(fact)) + 1;
  }

  return {
    size: () => names.size() + 2 * numbers.length,
    length: () => numbers.length,
    add(facts, amount) {
      for (const fact of facts) numbers.push(numberOf(fact, amount));
    },
    write(writer, places) {
      writer.varint(names.texts().length);
      for (const text of names.texts()) writer.text(text);
      for (const [start, end] of places) {
        for (let index = start; index < end; index += 1) writer.varint(numbers[index] as number);
      }
    },
    clear() {
      names.clear();
      numbers = [];
    },
  };
}

/** The number of facts that are read between two steps of `factReader`. */
const PIECE = 16_384;

/**
 * Reads the facts of each record, one piece in each step. Record `row` has `counts[row]` facts, and `amountAt` returns
 * its amount. Each text is read once. Throws a RangeError with the row of a fact that is neither a short text nor a
 * plain value.
 */
export function* factReader(
  reader: ByteReader,
  counts: ArrayLike<number>,
  amountAt: (row: number) => Amount | null,
): Generator<undefined, readonly (readonly Fact[])[]> {
  const texts = yield* readTexts(reader);
  const values = new Array<Fact | undefined>(2 * texts.length);

  function valueAt(place: number, row: number): Fact {
    let value = values[place];
    if (value === undefined) {
      value = readFact(texts[Math.floor(place / 2)], place % 2 === 1);
      if (value === undefined) throw new RangeError(`Row ${row} has a fact that is no short value.`);
      values[place] = value;
    }
    return value;
  }

  function factsOf(row: number): readonly Fact[] {
    const count = counts[row] as number;
    const ownList: Fact[] = [];
    let amount: string | undefined;
    while (ownList.length < count) {
      const number = reader.varint();
      if (number >= FIRST_TEXT) ownList.push(valueAt(number - FIRST_TEXT, row));
      else if (number > AMOUNT) ownList.push(PLAIN[number - 1] as Fact);
      else {
        amount ??= amountText(amountAt(row) ?? '');
        ownList.push(amount);
      }
    }
    return ownList;
  }

  const facts: (readonly Fact[])[] = [];
  let read = 0;
  for (let row = 0; row < counts.length; row += 1) {
    const ownFacts = factsOf(row);
    facts.push(ownFacts);
    read += ownFacts.length;
    if (read < PIECE) continue;
    read = 0;
    yield;
  }
  return facts;
}

function* readTexts(reader: ByteReader): Generator<undefined, readonly string[]> {
  const texts: string[] = [];
  for (let leftCount = reader.count(); leftCount > 0; leftCount -= 1) {
    texts.push(reader.text());
    if (texts.length % PIECE === 0) yield;
  }
  return texts;
}

function readFact(text: string | undefined, isJson: boolean): Fact | undefined {
  if (text === undefined || cutFact(text) !== text) return undefined;
  if (!isJson) return text;
  const value: unknown = JSON.parse(text);
  return value !== null && typeof value === 'object' ? undefined : (value as Fact);
}

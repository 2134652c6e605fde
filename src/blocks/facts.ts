/** The facts of the reasons in a block, in sequence, as a number each. */
import { amountText } from '../base/values/money.ts';
import type { Amount } from '../records.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { createNames } from './names.ts';
import type { Fact } from './reasons.ts';

/** The facts that need no text: the amount of the record, as text, and these three. */
const AMOUNT = 0;
const PLAIN: readonly Fact[] = [null, true, false];
const FIRST_TEXT = 1 + PLAIN.length;

/** Collects facts while a block is built. */
export interface FactColumn {
  readonly size: number;
  /** Adds the facts of the next record with reasons, which has this amount. */
  add(facts: readonly Fact[], amount: Amount | null): void;
  /** The number of facts so far. */
  readonly length: number;
  /** Writes the texts, then the numbers of the facts in these ranges. */
  write(writer: ByteWriter, places: Iterable<readonly [from: number, to: number]>): void;
  clear(): void;
}

/** Makes an empty column of facts. */
export function createFacts(): FactColumn {
  const names = createNames();
  let numbers: number[] = [];

  function numberOf(fact: Fact, amount: Amount | null): number {
    if (typeof fact === 'string') {
      if (amount !== null && fact === amountText(amount)) return AMOUNT;
      return FIRST_TEXT + 2 * names.numberOf(fact);
    }
    const plain = PLAIN.indexOf(fact);
    return plain >= 0 ? 1 + plain : FIRST_TEXT + 2 * names.numberOf(JSON.stringify(fact)) + 1;
  }

  return {
    get size() {
      return names.size + 2 * numbers.length;
    },
    get length() {
      return numbers.length;
    },
    add(facts, amount) {
      for (const fact of facts) numbers.push(numberOf(fact, amount));
    },
    write(writer, places) {
      writer.varint(names.texts.length);
      for (const text of names.texts) writer.text(text);
      for (const [from, to] of places) {
        for (let at = from; at < to; at += 1) writer.varint(numbers[at] as number);
      }
    },
    clear() {
      names.clear();
      numbers = [];
    },
  };
}

/** Reads `counts[row]` facts for each record; `amountAt` returns its amount. */
export function readFacts(
  reader: ByteReader,
  counts: ArrayLike<number>,
  amountAt: (row: number) => Amount | null,
): readonly (readonly Fact[])[] {
  const texts = Array.from({ length: reader.varint() }, reader.text);

  function read(row: number): Fact {
    const number = reader.varint();
    if (number === AMOUNT) return amountText(amountAt(row) ?? '');
    if (number < FIRST_TEXT) return PLAIN[number - 1] as Fact;
    const text = texts[Math.floor((number - FIRST_TEXT) / 2)];
    if (text === undefined) throw new RangeError('A fact has no text.');
    return (number - FIRST_TEXT) % 2 === 0 ? text : JSON.parse(text);
  }

  const facts: (readonly Fact[])[] = [];
  for (let row = 0; row < counts.length; row += 1) {
    const own: Fact[] = [];
    while (own.length < (counts[row] as number)) own.push(read(row));
    facts.push(own);
  }
  return facts;
}

import { storableText } from '../base/bytes/flatten-string.ts';
import type { Reason } from '../records.ts';
import { type FlatShape, parseFlat } from './context.ts';

/** A value in a reason, such as a limit. */
export type Fact = Reason[string];

type Row = readonly [code: string, message: string, ...facts: string[]];

/**
 * Gives numbers to templates while a block is built, in the order of first use. A template is a list of reasons without
 * their values (facts); 0 stands for no reasons.
 */
export interface Templates {
  texts(): readonly string[];
  codes(): readonly (readonly string[])[];
  /**
   * Returns the number of the template of these reasons, and adds their facts to `facts`, in the order of the template.
   */
  numberOf(reasons: readonly Reason[], facts: Fact[]): number;
  clear(): void;
}

interface Node {
  readonly code: string;
  readonly message: string;
  readonly names: readonly string[];
  readonly rows: readonly Row[];
  readonly next: Node[];
  number: number;
}

/** Creates a set that only contains the template without reasons. */
export function createTemplates(): Templates {
  let root = newNode([]);
  let texts: string[] = [];
  let codes: (readonly string[])[] = [];

  function clear(): void {
    root = newNode([]);
    texts = [];
    codes = [];
    number(root);
  }

  function number(node: Node): void {
    node.number = texts.push(JSON.stringify(node.rows)) - 1;
    codes.push(node.rows.map(([code]) => code));
  }

  clear();
  return {
    texts: () => texts,
    codes: () => codes,
    numberOf(reasons, facts) {
      let node = root;
      // More than a block can have are cut: the record stays a denial.
      for (let index = 0; index < reasons.length && index < MAX_REASONS; index += 1) {
        const reason = reasons[index] as Reason;
        node = findNext(node, reason, facts) ?? addNext(node, reason, facts);
      }
      if (node.number < 0) number(node);
      return node.number;
    },
    clear,
  };
}

function newNode(rows: readonly Row[], code = '', message = '', names: readonly string[] = []): Node {
  return { code, message, names, rows, next: [], number: -1 };
}

function findNext(node: Node, reason: Reason, facts: Fact[]): Node | undefined {
  for (const next of node.next) {
    if (next.code === reason.code && next.message === reason.message && addFacts(next.names, reason, facts))
      return next;
  }
  return undefined;
}

function addFacts(names: readonly string[], reason: Reason, facts: Fact[]): boolean {
  const { length } = facts;
  let count = 0;
  for (const name in reason) {
    if (name === 'code' || name === 'message') continue;
    if (names[count] !== name) break;
    facts.push(reason[name] as Fact);
    count += 1;
  }
  // Without an array of the names, because this runs for every denial.
  if (count === names.length && hasFields(reason, count + 2)) return true;
  facts.length = length;
  return false;
}

function hasFields(reason: Reason, number: number): boolean {
  let count = 0;
  for (const _ in reason) count += 1;
  return count === number;
}

function addNext(node: Node, reason: Reason, facts: Fact[]): Node {
  const code = storableText(reason.code);
  const message = storableText(reason.message);
  const names = Object.keys(reason).filter((name) => name !== 'code' && name !== 'message');
  for (const name of names) facts.push(reason[name] as Fact);
  const row: Row = [code, message, ...names.map(storableText)];
  const addedNode = newNode([...node.rows, row], code, message, names);
  node.next.push(addedNode);
  return addedNode;
}

/** The maximum number of reasons of a record. */
export const MAX_REASONS = 256;

/** A template that can be converted to reasons again. */
export interface ReasonShape {
  /** The code of each reason. */
  readonly codes: readonly string[];
  /** The number of facts of all reasons together. */
  readonly facts: number;
  /** Creates the frozen reasons with these facts. */
  build(facts: readonly Fact[]): readonly Reason[];
}

/** The limits for the text of a template. Most reasons have only a few facts, but an application may add many. */
const SHAPE: FlatShape = { depth: 2, commas: 256 * MAX_REASONS };

/** Reads the text of a template. Throws a RangeError for any other text, and for more than `MAX_REASONS` reasons. */
export function readTemplate(text: string): ReasonShape {
  const rows: unknown = parseFlat(text, SHAPE);
  if (!Array.isArray(rows) || rows.length > MAX_REASONS)
    throw new RangeError(`The reasons are no list of at most ${MAX_REASONS}.`);
  if (!rows.every(isRow)) throw new RangeError('A reason is no list of texts.');
  return shapeOf(rows);
}

function isRow(value: unknown): value is Row {
  return Array.isArray(value) && value.length > 1 && value.every((part) => typeof part === 'string');
}

function shapeOf(rows: readonly Row[]): ReasonShape {
  return {
    codes: rows.map(([code]) => code),
    facts: rows.reduce((sum, row) => sum + row.length - 2, 0),
    build(facts) {
      let next = 0;
      const reasons = rows.map(([code, message, ...names]): Reason => {
        const ownFields = Object.fromEntries(names.map((name) => [name, facts[next++] as Fact]));
        return Object.freeze({ code, message, ...ownFields });
      });
      return Object.freeze(reasons);
    },
  };
}

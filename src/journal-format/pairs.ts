/** Gives a number to each pair of an action and its reason codes, to count the pairs over many blocks. */
import type { BlockView } from './block-view.ts';

/** An action with the codes of its reasons. An empty list of codes means `ALLOW`. */
export interface Pair {
  readonly action: string;
  readonly codes: readonly string[];
}

/** Gives each pair a number, which is the same in all blocks. */
export interface Pairs {
  of(view: BlockView): Int32Array;
  pair(number: number): Pair;
}

/**
 * The maximum number of possible pairs of a block for a lookup in an array. If more pairs are possible, most of them do
 * not occur. A map then needs less memory.
 */
const MAX_ARRAY = 65_536;

export function createPairs(): Pairs {
  const pairs: Pair[] = [];
  /** The number of each pair. The outer key is the list of codes as JSON, and the inner key is the action. */
  const numbers = new Map<string, Map<string, number>>();

  function actionsOf(codes: readonly string[]): Map<string, number> {
    const name = JSON.stringify(codes);
    const actionNumbers = numbers.get(name);
    if (actionNumbers !== undefined) return actionNumbers;
    const actions = new Map<string, number>();
    numbers.set(name, actions);
    return actions;
  }

  function numberOf(actions: Map<string, number>, pair: Pair): number {
    const number = actions.get(pair.action) ?? pairs.push(pair) - 1;
    actions.set(pair.action, number);
    return number;
  }

  return {
    of({ length, actions, reasons }) {
      const { shapes } = reasons;
      const byShape = shapes.map(({ codes }) => actionsOf(codes));
      const lookUp = createLookUp(actions.texts.length * shapes.length);
      const numbers = new Int32Array(length);
      for (let index = 0; index < length; index += 1) {
        const action = actions.numbers[index] as number;
        const shape = reasons.numbers[index] as number;
        const ownNumber = action * shapes.length + shape;
        let number = lookUp.get(ownNumber);
        if (number < 0) {
          const pair = { action: actions.texts[action] as string, codes: shapes[shape]?.codes ?? [] };
          number = numberOf(byShape[shape] as Map<string, number>, pair);
          lookUp.set(ownNumber, number);
        }
        numbers[index] = number;
      }
      return numbers;
    },
    pair: (number) => pairs[number] as Pair,
  };
}

interface LookUp {
  get(ownNumber: number): number;
  set(ownNumber: number, number: number): void;
}

function createLookUp(possible: number): LookUp {
  if (possible <= MAX_ARRAY) {
    const numbers = new Int32Array(possible).fill(-1);
    return {
      get: (ownNumber) => numbers[ownNumber] as number,
      set(ownNumber, number) {
        numbers[ownNumber] = number;
      },
    };
  }
  const numbers = new Map<number, number>();
  return {
    get: (ownNumber) => numbers.get(ownNumber) ?? -1,
    set: (ownNumber, number) => numbers.set(ownNumber, number),
  };
}

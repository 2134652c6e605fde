/** Steps of one write in groups that have names, so that no caller counts where its steps stand. */
import type { Change, FailedStep, WriteFailure, WriteResult } from '../../ports/storage.ts';

/** Steps under a name: a text, or the object that they are for. */
export type StepGroup<Name> = readonly [name: Name, steps: readonly Change[]];

/** What the storage answered to all steps of a write, or to one group of them. */
export interface StepsAnswer {
  /** Whether the whole write was stored. */
  readonly written: boolean;
  /** Why the first step that failed did, in any group; `undefined`: the write was stored. */
  readonly failure: WriteFailure | undefined;
  /** The steps of the group that failed, by their index in it. */
  readonly failed: readonly FailedStep[];
  /** For each `add` of the group the sum after it; where nothing was stored, the value before it. */
  readonly values: readonly number[];
}

/** The groups of one write. Two groups under one name answer as one. */
export interface StepGroups<Name> {
  /** All steps, in the order of the groups. */
  readonly changes: readonly Change[];
  /** The part of the answer that is about this group. */
  of(name: Name, answer: StepsAnswer): StepsAnswer;
  /** The groups that failed, in the order of their first failed steps. */
  failed(answer: StepsAnswer): ReadonlySet<Name>;
}

const NONE: readonly never[] = [];

/** Puts the steps of a write in groups. The steps of a group may be `changes` of further groups. */
export function groupSteps<Name>(...groups: readonly StepGroup<Name>[]): StepGroups<Name> {
  const changes: Change[] = [];
  for (const [, steps] of groups) changes.push(...steps);

  return {
    changes,

    of(name, { written, failure, failed, values }) {
      const own: FailedStep[] = [];
      const ownValues: number[] = [];
      let [from, fromValue, size] = [0, 0, 0];
      for (const [group, steps] of groups) {
        const end = from + steps.length;
        const endValue = fromValue + additionsIn(steps);
        if (group === name) {
          for (const one of failed) {
            if (one.step >= from && one.step < end) own.push({ ...one, step: one.step - from + size });
          }
          ownValues.push(...values.slice(fromValue, endValue));
          size += steps.length;
        }
        from = end;
        fromValue = endValue;
      }
      return { written, failure, failed: own, values: ownValues };
    },

    failed({ failed }) {
      const names = groups.flatMap(([name, steps]) => steps.map(() => ({ name })));
      return new Set(failed.flatMap(({ step }) => names[step] ?? NONE).map(({ name }) => name));
    },
  };
}

/** The answer of the storage to all steps. */
export function answered(result: WriteResult): StepsAnswer {
  if (!result.written) {
    const { written, failure, failed, found } = result;
    return { written, failure, failed, values: found };
  }
  // An adapter of others may leave the sums out where no step adds.
  return { written: true, failure: undefined, failed: NONE, values: result.sums ?? NONE };
}

function additionsIn(steps: readonly Change[]): number {
  let additions = 0;
  for (const { op } of steps) if (op === 'add') additions += 1;
  return additions;
}

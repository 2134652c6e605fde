/** Divides the steps of a write into named groups, so that callers need not know the positions of their steps. */
import type { Change, FailedStep, WriteFailure, WriteResult } from '../../ports/storage.ts';

/** Steps with the name of their group: a text, or the object that they belong to. */
export type StepGroup<Name> = readonly [name: Name, steps: readonly Change[]];

/** The results of all steps of a write, or of one group. */
export interface StepsAnswer {
  /** True if the whole write was stored. */
  readonly written: boolean;
  /** The failure of the first step that failed, in any group. `undefined` if the write was stored. */
  readonly failure: WriteFailure | undefined;
  readonly failed: readonly FailedStep[];
  /** The sum after the step, for each `add` step of the group. If nothing was stored: the value before the step. */
  readonly values: readonly number[];
}

/** The groups of a write. Steps with the same group name form a single group. */
export interface StepGroups<Name> {
  readonly changes: readonly Change[];
  of(name: Name, answer: StepsAnswer): StepsAnswer;
  /** Returns the names of the failed groups, in the order of their first failed steps. */
  failed(answer: StepsAnswer): ReadonlySet<Name>;
}

const NONE: readonly never[] = [];

/** Divides the steps of a write into groups. The steps of a group may be the `changes` of nested groups. */
export function groupSteps<Name>(...groups: readonly StepGroup<Name>[]): StepGroups<Name> {
  const changes: Change[] = [];
  for (const [, steps] of groups) changes.push(...steps);

  return {
    changes,

    of(name, { written, failure, failed, values }) {
      const ownSteps: FailedStep[] = [];
      const ownValues: number[] = [];
      let [start, fromValue, size] = [0, 0, 0];
      for (const [group, steps] of groups) {
        const end = start + steps.length;
        const endValue = fromValue + additionsIn(steps);
        if (group === name) {
          for (const step of failed) {
            if (step.step >= start && step.step < end)
              ownSteps.push({ ...step, step: step.step - start + size });
          }
          ownValues.push(...values.slice(fromValue, endValue));
          size += steps.length;
        }
        start = end;
        fromValue = endValue;
      }
      return { written, failure, failed: ownSteps, values: ownValues };
    },

    failed({ failed }) {
      const names = groups.flatMap(([name, steps]) => steps.map(() => ({ name })));
      return new Set(failed.flatMap(({ step }) => names[step] ?? NONE).map(({ name }) => name));
    },
  };
}

export function answered(result: WriteResult): StepsAnswer {
  if (!result.written) {
    const { written, failure, failed, found } = result;
    return { written, failure, failed, values: found };
  }
  // A third-party adapter may omit the sums if no step adds.
  return { written: true, failure: undefined, failed: NONE, values: result.sums ?? NONE };
}

function additionsIn(steps: readonly Change[]): number {
  let additions = 0;
  for (const { op } of steps) if (op === 'add') additions += 1;
  return additions;
}

import type { Kysely } from 'kysely';
import type { Change, WriteResult } from '../../../src/ports/index.ts';
import type { CallAtOnce } from './identity.ts';
import type { SqlTables } from './rows.ts';
import { inLockOrder, resultOf, type StepOutcome, type WriteStep } from './write-steps.ts';

/** The answer of `ais_write`, by the index of each step: the reason of a failure, and the value before an addition. */
interface Answer {
  readonly failed: Readonly<Record<string, NonNullable<StepOutcome['failure']>>>;
  readonly found: Readonly<Record<string, number>>;
}

/**
 * Creates a function that writes the steps by `ais_write`, in one round trip; `undefined` if PostgreSQL cannot store a
 * text of them. The function resolves to `undefined`, without a write, if `ais_write` must not be used.
 */
export function writeOfFunction(
  call: CallAtOnce,
  steps: readonly WriteStep[],
  changes: readonly Change[],
): ((connection: Kysely<SqlTables>) => Promise<WriteResult | undefined>) | undefined {
  if (steps.some(({ json }) => json === undefined)) return undefined;
  const json = JSON.stringify(inLockOrder(steps).map(([step, { json }]) => ({ step, ...json?.() })));
  return async (connection) => {
    const called = await call(connection, 'ais_write', json);
    if (called === undefined) return undefined;
    const { failed, found }: Answer = JSON.parse(called.answer);
    const outcomes = changes.map((_, step): [number, StepOutcome] => [
      step,
      { failure: failed[step], found: found[step] ?? 0 },
    ]);
    const result = resultOf(new Map(outcomes), changes);
    if (result.written) called.accept();
    return result;
  };
}

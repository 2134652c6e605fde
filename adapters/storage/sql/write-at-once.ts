import type { Kysely } from 'kysely';
import type { Change, WriteResult } from '../../../src/ports/index.ts';
import type { CallAtOnce } from './identity.ts';
import type { JoinableWrite, Outcome } from './joined-writes.ts';
import type { SqlTables } from './rows.ts';
import { byteOrder, inLockOrder, resultOf, type StepOutcome, type WriteStep } from './write-steps.ts';

export interface WriteAtOnce extends JoinableWrite {
  readonly changes: readonly Change[];
  readonly json: string;
  readonly signal: AbortSignal | undefined;
}

/** The result of `ais_write` by the index of each step: the reason of a failure, and the value before an addition. */
interface Answer {
  readonly failed: Readonly<Record<string, NonNullable<StepOutcome['failure']>>>;
  readonly found: Readonly<Record<string, number>>;
}

export function prepareAtOnce(
  steps: readonly WriteStep[],
  changes: readonly Change[],
  signal?: AbortSignal,
): WriteAtOnce | undefined {
  if (steps.some(({ json }) => json === undefined)) return undefined;
  const json = JSON.stringify(inLockOrder(steps).map(([step, { json }]) => ({ step, ...json?.() })));
  const counters = changes.flatMap((change) =>
    change.op === 'forget' || (change.op === 'add' && change.by !== 0) ? [change.counter] : [],
  );
  return { changes, json, signal, counters: [...new Set(counters)], size: json.length };
}

/**
 * Runs writes in one transaction, in their order. Resolves to `undefined`, without writing, if `ais_write` must not be
 * used.
 */
export async function writeAtOnce(
  connection: Kysely<SqlTables>,
  call: CallAtOnce,
  writes: readonly WriteAtOnce[],
): Promise<readonly Outcome<WriteResult>[] | undefined> {
  const [first] = writes;
  const isJoined = writes.length > 1 || first === undefined;
  const result = isJoined
    ? await call(connection, 'ais_write_joined', joinedJson(writes))
    : await call(connection, 'ais_write', first.json);
  if (result === undefined) return undefined;
  const parsedValue = JSON.parse(result.answer);
  const answers: readonly Answer[] = isJoined ? parsedValue : [parsedValue];
  const isWritten = answers.some(({ failed }) => Object.keys(failed).length === 0);
  if (isWritten) result.accept();
  return writes.map(
    ({ changes }, index) =>
      () =>
        toResult(answers[index], changes),
  );
}

function joinedJson(writes: readonly WriteAtOnce[]): string {
  const counters = [...new Set(writes.flatMap((write) => write.counters))].sort(byteOrder);
  return `{"counters":${JSON.stringify(counters)},"writes":[${writes.map(({ json }) => json).join(',')}]}`;
}

function toResult(answer: Answer | undefined, changes: readonly Change[]): WriteResult {
  if (answer === undefined) throw new Error('PostgreSQL gave no answer.');
  const outcomes = changes.map((_, step): [number, StepOutcome] => [
    step,
    { failure: answer.failed[step], found: answer.found[step] ?? 0 },
  ]);
  return resultOf(new Map(outcomes), changes);
}

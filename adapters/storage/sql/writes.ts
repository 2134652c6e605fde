import type { Change, WriteResult } from '../../../src/ports/index.ts';
import type { Calls, CallsParts } from './calls.ts';
import type { CallAtOnce } from './identity.ts';
import { joinWrites, type Outcome } from './joined-writes.ts';
import type { Joins } from './joins.ts';
import { untilKept } from './transaction.ts';
import { prepareAtOnce, type WriteAtOnce, writeAtOnce } from './write-at-once.ts';
import { runSteps, type WriteStep } from './write-steps.ts';

export type Write = (
  steps: readonly WriteStep[],
  changes: readonly Change[],
  signal?: AbortSignal,
) => Promise<WriteResult>;

/**
 * The result of a write in one round trip. `undefined` means that nothing was written, because the write needs a
 * transaction.
 */
type Known = Outcome<WriteResult | undefined>;

/**
 * Creates the writes. A write is one round trip if the database has a function for it, else a transaction.
 * With `joins`, writes that wait for the same counter are sent together in one transaction.
 */
export function createWrites(database: CallsParts, calls: Calls, joins: Joins | undefined): Write {
  const inTransaction: Write = (steps, changes, signal) =>
    calls.store(
      async (connection) => {
        signal?.throwIfAborted();
        return runSteps(connection, steps, changes);
      },
      ({ written }) => written,
    );
  const { callAtOnce } = database.identity;
  if (callAtOnce === undefined) return inTransaction;
  const run = createRun(database, calls, callAtOnce);
  const joinedWrites =
    joins && joinWrites({ run: (writes: readonly WriteAtOnce[]) => eachOf(writes, run, database), ...joins });

  async function atOnce(write: WriteAtOnce): Promise<WriteResult | undefined> {
    if (joinedWrites !== undefined && write.counters.length > 0) return calls.follow(joinedWrites(write));
    const [outcome] = await run([write]);
    return outcome?.();
  }

  return async (steps, changes, signal) => {
    const write = prepareAtOnce(steps, changes, signal);
    return (write && (await atOnce(write))) ?? inTransaction(steps, changes, signal);
  };
}

type Run = (writes: readonly WriteAtOnce[]) => Promise<readonly Known[]>;

function createRun({ kysely, dialect }: CallsParts, { whilePresent }: Calls, callAtOnce: CallAtOnce): Run {
  return async (writes) => {
    const outcomes = await whilePresent(() =>
      untilKept(dialect, () =>
        kysely.connection().execute(async (connection) => {
          // The search for a connection may have led to another server.
          for (const { signal } of writes) signal?.throwIfAborted();
          return writeAtOnce(connection, callAtOnce, writes);
        }),
      ),
    );
    return outcomes ?? writes.map(() => () => undefined);
  };
}

/** Runs writes together. If one of them is refused or aborted, none was written, and each then runs separately. */
async function eachOf(
  writes: readonly WriteAtOnce[],
  run: Run,
  { dialect }: CallsParts,
): Promise<readonly Known[]> {
  try {
    return await run(writes);
  } catch (error) {
    const isUnwritten = dialect.wasRolledBack(error) || writes.some(({ signal }) => signal?.reason === error);
    if (writes.length === 1 || !isUnwritten) throw error;
  }
  const outcomes: Known[] = [];
  for (const write of writes) outcomes.push(await runAlone(write, run));
  return outcomes;
}

async function runAlone(write: WriteAtOnce, run: Run): Promise<Known> {
  try {
    const [outcome] = await run([write]);
    return () => outcome?.();
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

import type { Change, Deadlines, WriteResult } from '../../../src/ports/index.ts';
import type { Calls, CallsParts } from './calls.ts';
import type { CallAtOnce } from './identity.ts';
import { joinWrites, type Outcome } from './joined-writes.ts';
import { untilKept } from './transaction.ts';
import { prepareAtOnce, type WriteAtOnce, writeAtOnce } from './write-at-once.ts';
import { runSteps, type WriteStep } from './write-steps.ts';

/** Writes the prepared steps of the changes, all or none. */
export type Write = (steps: readonly WriteStep[], changes: readonly Change[]) => Promise<WriteResult>;

/** The result of a write in one round trip; `undefined` if nothing was written, because it needs a transaction. */
type Known = Outcome<WriteResult | undefined>;

/**
 * Creates the writes: in one round trip where the database has a function for that, else in a transaction. With
 * `deadlines`, those of a busy counter are joined.
 */
export function createWrites(database: CallsParts, calls: Calls, deadlines: Deadlines | undefined): Write {
  const inTransaction: Write = (steps, changes) =>
    calls.store(
      (connection) => runSteps(connection, steps, changes),
      ({ written }) => written,
    );
  const { callAtOnce } = database.identity;
  if (callAtOnce === undefined) return inTransaction;
  const run = createRun(database, calls, callAtOnce);
  const joined =
    deadlines &&
    joinWrites({ run: (writes: readonly WriteAtOnce[]) => eachOf(writes, run, database), deadlines });

  async function atOnce(write: WriteAtOnce): Promise<WriteResult | undefined> {
    if (joined !== undefined && write.counters.length > 0) return calls.follow(joined(write));
    const [outcome] = await run([write]);
    return outcome?.();
  }

  return async (steps, changes) => {
    const write = prepareAtOnce(steps, changes);
    return (write && (await atOnce(write))) ?? inTransaction(steps, changes);
  };
}

type Run = (writes: readonly WriteAtOnce[]) => Promise<readonly Known[]>;

/** Creates the function that runs writes in one transaction. */
function createRun({ kysely, dialect }: CallsParts, { whilePresent }: Calls, callAtOnce: CallAtOnce): Run {
  return async (writes) => {
    const outcomes = await whilePresent(() =>
      untilKept(dialect, () =>
        kysely.connection().execute((connection) => writeAtOnce(connection, callAtOnce, writes)),
      ),
    );
    return outcomes ?? writes.map(() => () => undefined);
  };
}

/** Runs writes together. If the database refuses one of them, it has written none: then each runs alone. */
async function eachOf(
  writes: readonly WriteAtOnce[],
  run: Run,
  { dialect }: CallsParts,
): Promise<readonly Known[]> {
  try {
    return await run(writes);
  } catch (error) {
    if (writes.length === 1 || !dialect.wasRolledBack(error)) throw error;
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

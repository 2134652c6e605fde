import type { Kysely } from 'kysely';
import {
  type CallAtOnce,
  type Marker,
  type MarkerOptions,
  type MarkerRow,
  readMarkerRow,
  type SqlConnection,
} from '../marker.ts';
import type { SqlRow, SqlTables } from '../rows.ts';
import { postgres } from './dialect.ts';
import { NEXT_ID, openServerRuns, type ServerRuns, THIS_ID, THIS_RUN } from './server-runs.ts';

/** A marker that also knows whether a server accepts writes, and has all that this storage has acknowledged. */
export interface PostgresMarker extends Marker {
  /**
   * The run of the server that a new connection leads to. Rejects for another database, a standby, a session that
   * cannot write, and a server that lacks a write which this node has acknowledged or was notified of.
   */
  verify(connection: SqlConnection): Promise<string>;
  /** Whether a connection to that run may still be used: no later run has replaced it. */
  isCurrent(run: string): boolean;
  /** The id of the latest transaction that was acknowledged here. */
  latest(): string | undefined;
  /** Another node has acknowledged that transaction. */
  noteAcknowledged(id: string): void;
}

/** How many transactions are remembered: more than can be acknowledged in another order than they were committed. */
const MAX_IDS = 1_024;

const OLDER =
  'The database is older than this node has seen it: a write that was acknowledged is not there any more.';

/** How transactions begin. */
export interface PostgresMarkerOptions extends MarkerOptions {
  /** Statements behind each BEGIN, such as `; set local statement_timeout = 900`. */
  readonly local?: string;
}

/** What a marker works with. */
interface MarkerParts {
  readonly kysely: Kysely<SqlTables>;
  readonly row: MarkerRow;
  /** Text that begins a transaction that may write, and one that only reads. */
  readonly toWrite: string;
  readonly toRead: string;
  /** Whether a transaction needs no settings of its own. */
  readonly needsNoSettings: boolean;
}

/** The marker of a database that is migrated. Throws and rejects as `readMarkerRow` and `verify` do. */
export async function openPostgresMarker(
  kysely: Kysely<SqlTables>,
  options: PostgresMarkerOptions = {},
): Promise<PostgresMarker> {
  const { local = '' } = options;
  const toWrite = `${postgres.begin}${local}`;
  const toRead = `${postgres.beginReading}${local}`;
  const row = await readMarkerRow(kysely, options);
  const runs = await openServerRuns(kysely, toWrite);
  const parts = { kysely, row, toWrite, toRead, needsNoSettings: local === '' };
  const marker = runs === undefined ? withoutRuns(parts) : withRuns(parts, runs);
  await kysely.connection().execute((connection) => marker.verify(connection));
  return marker;
}

/** For a database compatible with PostgreSQL that does not identify the runs of its server. */
function withoutRuns({ row, toWrite, toRead }: MarkerParts): PostgresMarker {
  const greet = row.ask(READ_ONLY);
  const begin = row.begin(toWrite);
  const beginReading = row.begin(toRead);
  return {
    async verify(connection) {
      assertWritable(await greet(connection));
      return '';
    },
    begin: async (connection) => void (await begin(connection)),
    beginReading: async (connection) => void (await beginReading(connection)),
    assertOpened: row.assertOpened,
    isCurrent: () => true,
    latest: () => undefined,
    noteAcknowledged() {},
  };
}

function withRuns(parts: MarkerParts, runs: ServerRuns): PostgresMarker {
  const { kysely, row, toWrite, toRead, needsNoSettings } = parts;
  const greet = row.ask(`${READ_ONLY}, ${THIS_RUN} as run, ${NEXT_ID} as next_id`);
  const beginWriting = row.begin(toWrite, `, ${THIS_RUN} as run, ${THIS_ID} as id`);
  const beginReading = row.begin(toRead, `, ${THIS_RUN} as run`);
  const own = createRecent();
  const foreign = createRecent();
  let highest = 0n;
  let current: string | undefined;
  let hasGoneBack = false;
  let isLooking = false;

  /** A pooled connection, as behind PgBouncer, may lead to another server at any time. */
  function assertCurrent(found: unknown): void {
    if (current === undefined || found === current) return;
    if (!isLooking) void look();
    throw new Error('The connection leads to another server than before, or to a standby.');
  }

  /** What acknowledges a transaction, which was begun on that run. */
  function acknowledging({ run, id }: SqlRow): () => void {
    assertCurrent(run);
    return () => {
      if (run !== current) throw new Error('Another server has taken over during a write.');
      own.add(String(id));
      if (BigInt(String(id)) > highest) highest = BigInt(String(id));
    };
  }

  /** The run that calls go to now: the next ones may be answered by it. */
  async function look(): Promise<void> {
    isLooking = true;
    try {
      await kysely.connection().execute(verify);
    } catch {
      // The call that has found it fails, and so do the following calls.
    }
    isLooking = false;
  }

  async function verify(connection: SqlConnection): Promise<string> {
    // Read now: a write that is acknowledged while the query runs may be later than its answer.
    const mostKnown = highest;
    const found = await greet(connection);
    assertWritable(found);
    const run = String(found['run']);
    if (run !== current) await enter(connection, run);
    else if (BigInt(String(found['next_id'])) <= mostKnown) hasGoneBack = true;
    if (hasGoneBack) throw new Error(OLDER);
    return run;
  }

  /** Makes a run the current one, if it has all acknowledged transactions. */
  async function enter(connection: SqlConnection, run: string): Promise<void> {
    const before = current;
    const ids = [...own.ids(), ...foreign.ids()];
    await assertHasAll(runs, connection, { run, before, ids });
    // Another connection may have led to a later run meanwhile, or to this one.
    if (current !== before && current !== run) throw new Error('The server changes again and again.');
    current = run;
  }

  return {
    verify,
    assertOpened: row.assertOpened,
    begin: async (connection) => acknowledging(await beginWriting(connection)),
    ...(needsNoSettings && { callAtOnce: atOnce(row, () => current ?? '', acknowledging) }),
    async beginReading(connection) {
      assertCurrent((await beginReading(connection))['run']);
      return undefined;
    },
    isCurrent: (run) => run === current,
    server: THIS_RUN,
    assertServer: assertCurrent,
    latest: own.latest,
    noteAcknowledged(id) {
      if (/^\d{1,20}$/.test(id)) foreign.add(id);
    },
  };
}

/** Calls a function on the current run; `take` throws for another run, and gives the function that acknowledges. */
function atOnce(row: MarkerRow, current: () => string, take: (row: SqlRow) => () => void): CallAtOnce {
  const call = (name: string) =>
    row.call(name, `${THIS_RUN} = $3 and ${READ_COMMITTED}`, `, ${THIS_RUN} as run, ${THIS_ID} as id`);
  const calls = new Map<string, ReturnType<typeof call>>();
  return async (connection, name, json) => {
    const ask = calls.get(name) ?? call(name);
    calls.set(name, ask);
    const found = await ask(connection, [json, current()]);
    const accept = take(found);
    const { answer } = found;
    return typeof answer === 'string' ? { answer, accept } : undefined;
  };
}

/** Rejects unless `run` has the transactions `ids`, all of them from the run `before` or earlier ones. */
async function assertHasAll(
  { list, hasLost }: ServerRuns,
  connection: SqlConnection,
  { run, before, ids }: { run: string; before: string | undefined; ids: readonly string[] },
): Promise<void> {
  const known = await list(connection, run);
  // Without known transactions nothing can be lost.
  if (ids.length === 0) return;
  const last = known.findIndex(([name]) => name === before);
  const [, firstId, cluster] = known[last + 1] ?? [];
  if (last === -1 || firstId === undefined || cluster !== known[last]?.[2]) throw new Error(OLDER);
  if (await hasLost(connection, ids, firstId)) throw new Error(OLDER);
}

const READ_COMMITTED = "current_setting('transaction_isolation') = 'read committed'";

/** Whether the session is read-only; a standby answers so too. */
const READ_ONLY = ", current_setting('transaction_read_only', true) as read_only";

function assertWritable(found: SqlRow): void {
  if (found['read_only'] !== 'on') return;
  throw new Error('The database is read-only: a standby, or set up so.');
}

/** The ids that were added last. */
function createRecent() {
  const ids = new Set<string>();
  let latest: string | undefined;
  return {
    add(id: string): void {
      ids.add(id);
      latest = id;
      if (ids.size <= MAX_IDS) return;
      for (const oldest of ids) {
        ids.delete(oldest);
        return;
      }
    },
    ids: (): Iterable<string> => ids,
    latest: (): string | undefined => latest,
  };
}

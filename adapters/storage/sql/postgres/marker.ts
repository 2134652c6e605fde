import type { Kysely } from 'kysely';
import { type Marker, type MarkerOptions, readMarkerRow, type SqlConnection } from '../marker.ts';
import type { SqlRow, SqlTables } from '../rows.ts';
import { postgres } from './dialect.ts';
import { NEXT_ID, openServerRuns, type ServerRuns, THIS_ID, THIS_RUN } from './server-runs.ts';

/** A marker that knows of a server besides whether it takes writes, and has those that it has acknowledged. */
export interface PostgresMarker extends Marker {
  /**
   * The run of the server that a new connection leads to. Rejects for another database, a standby, a session that
   * cannot write, and a server without a write that this node has acknowledged or heard of.
   */
  verify(connection: SqlConnection): Promise<string>;
  /** Whether a connection to that run may still be used: no later one has taken its place. */
  isCurrent(run: string): boolean;
  /** The id of the latest transaction that was acknowledged here. */
  latest(): string | undefined;
  /** Another node has acknowledged that transaction. */
  hear(id: string): void;
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
  const marker = runs === undefined ? withoutRuns() : withRuns(runs);
  await kysely.connection().execute((connection) => marker.verify(connection));
  return marker;

  function withoutRuns(): PostgresMarker {
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
      hear() {},
    };
  }

  function withRuns({ list, hasLost }: ServerRuns): PostgresMarker {
    const greet = row.ask(`${READ_ONLY}, ${THIS_RUN} as run, ${NEXT_ID} as next_id`);
    const beginWriting = row.begin(toWrite, `, ${THIS_RUN} as run, ${THIS_ID} as id`);
    const beginReading = row.begin(toRead, `, ${THIS_RUN} as run`);
    const own = createRecent();
    const foreign = createRecent();
    let highest = 0n;
    let current: string | undefined;
    let hasGoneBack = false;
    let isLooking = false;

    /** A connection that is handed on, as by PgBouncer, leads to another server at any time. */
    function assertCurrent(found: unknown): void {
      if (current === undefined || found === current) return;
      if (!isLooking) void look();
      throw new Error('The connection leads to another server than before, or to a standby.');
    }

    /** Where calls lead now: the next ones may be answered from there. */
    async function look(): Promise<void> {
      isLooking = true;
      try {
        await kysely.connection().execute(verify);
      } catch {
        // The call that has found it fails, and so do the next.
      }
      isLooking = false;
    }

    async function verify(connection: SqlConnection): Promise<string> {
      // Of now: what is acknowledged while the question is on its way may be later than its answer.
      const mostKnown = highest;
      const found = await greet(connection);
      assertWritable(found);
      const run = String(found['run']);
      if (run !== current) await enter(connection, run);
      else if (BigInt(String(found['next_id'])) <= mostKnown) hasGoneBack = true;
      if (hasGoneBack) throw new Error(OLDER);
      return run;
    }

    /** Makes a run the current one, if it has all that is known. */
    async function enter(connection: SqlConnection, run: string): Promise<void> {
      const before = current;
      const ids = [...own.ids(), ...foreign.ids()];
      const known = await list(connection, run);
      const last = known.findIndex(([name]) => name === before);
      const [, firstId, cluster] = known[last + 1] ?? [];
      // Where nothing is known, nothing is lost.
      if (ids.length > 0) {
        if (last === -1 || firstId === undefined || cluster !== known[last]?.[2]) throw new Error(OLDER);
        if (await hasLost(connection, ids, firstId)) throw new Error(OLDER);
      }
      // Another connection may have led to a later run meanwhile, or to this one.
      if (current !== before && current !== run) throw new Error('The server changes again and again.');
      current = run;
    }

    return {
      verify,
      assertOpened: row.assertOpened,
      async begin(connection) {
        const { run, id } = await beginWriting(connection);
        assertCurrent(run);
        return () => {
          if (run !== current) throw new Error('Another server has taken over during a write.');
          own.add(String(id));
          if (BigInt(String(id)) > highest) highest = BigInt(String(id));
        };
      },
      async beginReading(connection) {
        assertCurrent((await beginReading(connection))['run']);
        return undefined;
      },
      isCurrent: (run) => run === current,
      server: THIS_RUN,
      assertServer: assertCurrent,
      latest: own.latest,
      hear(id) {
        if (/^\d{1,20}$/.test(id)) foreign.add(id);
      },
    };
  }
}

/** A standby says so as well. */
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

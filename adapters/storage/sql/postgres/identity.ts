import { CompiledQuery, type Kysely } from 'kysely';
import {
  type CallAtOnce,
  type IdentityOptions,
  type IdentityRow,
  readIdentityRow,
  type SqlConnection,
  type StoreIdentity,
} from '../identity.ts';
import type { SqlRow, SqlTables } from '../rows.ts';
import { postgres } from './dialect.ts';
import { type Incarnations, NEXT_ID, openIncarnations, THIS_ID, THIS_INCARNATION } from './incarnations.ts';

/**
 * An identity that also checks the server: it must accept writes, and have all writes that this storage has
 * acknowledged.
 */
export interface PostgresIdentity extends StoreIdentity {
  /**
   * Returns the incarnation of the server behind a new connection. An incarnation is a period in which one server
   * process accepts writes. Rejects for another database, a standby and a read-only session. Rejects as well if the
   * server lacks a write that this node has acknowledged or was notified of. `client` is the client of the connection.
   */
  verify(connection: SqlConnection, client?: object): Promise<string>;
  /** Returns `true` if a connection to this incarnation may be used, because no later incarnation has replaced it. */
  isCurrent(incarnation: string): boolean;
  latest(): string | undefined;
  noteAcknowledged(id: string): void;
}

/**
 * The number of transactions to remember. It exceeds the number of transactions that can be acknowledged out of the
 * order of their commits.
 */
const MAX_IDS = 1_024;

const OLDER = 'The database is older than this node has seen it: an acknowledged write is lost.';

export interface PostgresIdentityOptions extends IdentityOptions {
  /** Is called when another server has taken over, with the client that has found it, if it is known. */
  readonly onChange?: (client?: object) => void;
  /** Statements after each BEGIN, such as `; set local statement_timeout = 900`. */
  readonly local?: string;
}

interface IdentityParts {
  readonly kysely: Kysely<SqlTables>;
  readonly row: IdentityRow;
  readonly toWrite: string;
  readonly toRead: string;
  readonly needsNoSettings: boolean;
  readonly onChange: (client?: object) => void;
}

export async function openPostgresIdentity(
  kysely: Kysely<SqlTables>,
  options: PostgresIdentityOptions = {},
): Promise<PostgresIdentity> {
  const { local = '', onChange = ignore } = options;
  const toWrite = `${postgres.begin}${local}`;
  const toRead = `${postgres.beginReading}${local}`;
  const row = await readIdentityRow(kysely, options);
  const incarnations = await openIncarnations(kysely, toWrite);
  const parts = { kysely, row, toWrite, toRead, needsNoSettings: local === '', onChange };
  const identity =
    incarnations === undefined ? withoutIncarnations(parts) : withIncarnations(parts, incarnations);
  await kysely.connection().execute((connection) => identity.verify(connection));
  return identity;
}

/** Creates the identity for a compatible database that cannot identify incarnations of its server. */
function withoutIncarnations({ row, toWrite, toRead }: IdentityParts): PostgresIdentity {
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

function withIncarnations(parts: IdentityParts, incarnations: Incarnations): PostgresIdentity {
  const { kysely, row, toWrite, toRead, needsNoSettings, onChange } = parts;
  const greet = row.ask(`${READ_ONLY}, ${THIS_INCARNATION} as incarnation, ${NEXT_ID} as next_id`);
  const beginWriting = row.begin(toWrite, `, ${THIS_INCARNATION} as incarnation, ${THIS_ID} as id`);
  const beginReading = row.begin(toRead, `, ${THIS_INCARNATION} as incarnation`);
  const ownRecent = createRecent();
  const foreign = createRecent();
  let highest = 0n;
  let current: string | undefined;
  let hasGoneBack = false;
  let isLooking = false;

  /** Throws if the connection leads to another incarnation. A pooler can move it to another server at any time. */
  function assertCurrent(value: unknown): void {
    if (current === undefined || value === current) return;
    if (!isLooking) void look();
    throw new Error('The connection leads to another server than before, or to a standby.');
  }

  function acknowledging({ incarnation, id }: SqlRow): () => void {
    assertCurrent(incarnation);
    return () => {
      if (incarnation !== current) throw new Error('Another server has taken over during a write.');
      ownRecent.add(String(id));
      if (BigInt(String(id)) > highest) highest = BigInt(String(id));
    };
  }

  /** Verifies the server again, because it may be a new valid incarnation for the next calls. */
  async function look(): Promise<void> {
    isLooking = true;
    // Calls fail until a verification succeeds.
    const verification = kysely.connection().execute((connection) => verify(connection));
    await verification.catch(ignore);
    isLooking = false;
  }

  async function verify(connection: SqlConnection, client?: object): Promise<string> {
    // Read before the query, because a write that is acknowledged meanwhile may be later than its snapshot.
    const mostKnown = highest;
    const row = await greet(connection);
    assertWritable(row);
    const incarnation = String(row['incarnation']);
    if (incarnation !== current) await enter(connection, incarnation, client);
    else if (BigInt(String(row['next_id'])) <= mostKnown) hasGoneBack = true;
    if (hasGoneBack) throw new Error(OLDER);
    return incarnation;
  }

  async function enter(connection: SqlConnection, incarnation: string, client?: object): Promise<void> {
    const currentBefore = current;
    const ids = [...ownRecent.ids(), ...foreign.ids()];
    await assertHasAll(incarnations, connection, { incarnation, before: currentBefore, ids });
    // Another connection may have entered this incarnation meanwhile, or a later one.
    if (current !== currentBefore && current !== incarnation)
      throw new Error('The server changes again and again.');
    const isFirst = current === currentBefore;
    current = incarnation;
    if (currentBefore !== undefined && isFirst) onChange(client);
  }

  return {
    verify,
    assertOpened: row.assertOpened,
    begin: async (connection) => acknowledging(await beginWriting(connection)),
    ...(needsNoSettings && { callAtOnce: atOnce(row, () => current ?? '', acknowledging) }),
    async beginReading(connection) {
      assertCurrent((await beginReading(connection))['incarnation']);
      return undefined;
    },
    isCurrent: (incarnation) => incarnation === current,
    server: THIS_INCARNATION,
    assertServer: assertCurrent,
    latest: ownRecent.latest,
    noteAcknowledged(id) {
      if (/^\d{1,20}$/.test(id)) foreign.add(id);
    },
  };
}

function atOnce(row: IdentityRow, current: () => string, take: (row: SqlRow) => () => void): CallAtOnce {
  const call = (name: string) =>
    row.call(
      name,
      `${THIS_INCARNATION} = $3 and ${READ_COMMITTED}`,
      `, ${THIS_INCARNATION} as incarnation, ${THIS_ID} as id`,
    );
  const calls = new Map<string, ReturnType<typeof call>>();
  return async (connection, name, json) => {
    const ask = calls.get(name) ?? call(name);
    calls.set(name, ask);
    const row = await ask(connection, [json, current()]);
    const accept = take(row);
    const { answer } = row;
    return typeof answer === 'string' ? { answer, accept } : undefined;
  };
}

async function assertHasAll(
  { list, hasLost }: Incarnations,
  connection: SqlConnection,
  { incarnation, before, ids }: { incarnation: string; before: string | undefined; ids: readonly string[] },
): Promise<void> {
  const incarnations = await list(connection, incarnation);
  // Without known transactions, no loss can be detected.
  if (ids.length === 0) return;
  const last = incarnations.findIndex(([name]) => name === before);
  const [, firstId, cluster] = incarnations[last + 1] ?? [];
  if (last === -1 || firstId === undefined || cluster !== incarnations[last]?.[2]) throw new Error(OLDER);
  if (await hasLost(connection, ids, firstId)) throw new Error(OLDER);
}

const READ_COMMITTED = "current_setting('transaction_isolation') = 'read committed'";

/** The SQL column that is `on` for a read-only session and on a standby. */
const READ_ONLY = ", current_setting('transaction_read_only', true) as read_only";

export async function assertTakesWrites(connection: SqlConnection): Promise<void> {
  const { rows } = await connection.executeQuery(CompiledQuery.raw(`select ''${READ_ONLY}`));
  assertWritable(rows[0] as SqlRow);
}

function assertWritable(row: SqlRow): void {
  if (row['read_only'] !== 'on') return;
  throw new Error('The database is read-only: a standby, or set up so.');
}

function ignore(): void {}

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

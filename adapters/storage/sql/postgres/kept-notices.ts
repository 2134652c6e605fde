/**
 * Stores notices for nodes that cannot listen, such as nodes behind PgBouncer in transaction mode. Other nodes store
 * the notices as rows of `ais_meta` while such a node polls. The names of the rows are ordered by the time of the
 * database.
 */

import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { IDENTITY_NAME, type StoreIdentity } from '../identity.ts';
import type { SqlRow, SqlTables } from '../rows.ts';
import { bind } from '../statements.ts';
import { metaTable } from '../tables.ts';
import { postgres } from './dialect.ts';
import type { Listen } from './listen.ts';

/** The interval of polls. It is far below one second, the time within which every node must see a change. */
const POLL_MS = 100;

/** The overlap of polls. A notice becomes visible at its commit, which is later than the time in its name. */
const OVERLAP_MS = 2_000;

/** The time for which a poll makes other nodes store notices. The poller renews it when only `RENEWED_MS` remain. */
const POLLED_MS = 15_000;
const RENEWED_MS = 10_000;

const KEPT_MS = 60_000;

/** The maximum number of notices in a poll. More notices are reported as "any change". */
const MAX_ROWS = 1_000;

const POLLED_UNTIL = 'polled_until';
const PREFIX = 'change ';
/** A text that sorts after every name with `PREFIX`, by bytes. */
const BEHIND = 'change!';

const DIGITS = 15;

/** SQL for the current time, not for the start of the transaction. */
const NOW_MS = postgres.clockMs;

function nameAt(ms: string): string {
  return `'${PREFIX}' || lpad((${ms})::text, ${DIGITS}, '0')`;
}

/**
 * Compiles the statement that sends payloads, and stores them if a node polls. Its values are the payloads as a JSON
 * array, a unique text, and the channel.
 */
function compileNotify(kysely: Kysely<SqlTables>): CompiledQuery {
  return sql`
    with sent as (
      select payload, at from json_array_elements_text(${''}::json) with ordinality as sent (payload, at)
    ), kept as (
      insert into ${sql.table(metaTable)} (name, value)
      select ${sql.raw(nameAt(`${NOW_MS}`))} || ' ' || ${''}::text || ' ' || at, payload from sent
      where exists (
        select 1 from ${sql.table(metaTable)}
        where name = ${sql.lit(POLLED_UNTIL)} and value::bigint > ${sql.raw(`${NOW_MS}`)}
      )
    )
    select pg_notify(${''}::text, payload) from sent`.compile(kysely);
}

/**
 * Creates a `Listen` that polls for stored notices. It reports `undefined` when polling begins, and whenever a notice
 * may have been missed.
 */
export function pollOn(kysely: Kysely<SqlTables>, identity: StoreIdentity): Listen {
  const raw = (text: string): CompiledQuery => sql.raw(text).compile(kysely);
  const renew = raw(`
    with old as (
      delete from ${metaTable} where name >= '${PREFIX}' and name < ${nameAt(`${NOW_MS} - ${KEPT_MS}`)}
    )
    insert into ${metaTable} (name, value) values ('${POLLED_UNTIL}', (${NOW_MS} + ${POLLED_MS})::text)
    on conflict (name) do update set value = excluded.value
    returning value`);
  const look = sql`
    select name, value, ${sql.raw(`${NOW_MS}`)}::text as now_ms, ${sql.raw(identity.server ?? "''")} as server
    from ${sql.table(metaTable)}
    where name = ${sql.lit(IDENTITY_NAME)} or (name >= ${''} and name < ${sql.lit(BEHIND)})
    order by name desc limit ${sql.lit(MAX_ROWS + 2)}`.compile(kysely);

  async function ask(query: CompiledQuery): Promise<readonly SqlRow[]> {
    return (await kysely.executeQuery<SqlRow>(query)).rows;
  }

  return (_channel, onPayload) => {
    let isStopped = false;
    /**
     * The end of the time for which other nodes store notices, and the time of the last poll. Both use the clock of the
     * database.
     */
    let endMs = 0;
    let seenAt = 0;
    let seenNames: ReadonlySet<string> = new Set();

    async function stay(): Promise<boolean> {
      if (seenAt <= endMs - RENEWED_MS) return false;
      const [row] = await ask(renew);
      const renewedCount = Number(row?.['value']);
      const hasMissed = renewedCount - POLLED_MS > endMs;
      endMs = renewedCount;
      if (hasMissed) seenAt = endMs - POLLED_MS;
      return hasMissed;
    }

    async function poll(): Promise<void> {
      const hasMissed = await stay();
      const rows = await ask(bind(look, [`${PREFIX}${String(seenAt - OVERLAP_MS).padStart(DIGITS, '0')}`]));
      const mark = rows.find(({ name }) => name === IDENTITY_NAME);
      identity.assertOpened(mark?.['value']);
      identity.assertServer?.(mark?.['server']);
      seenAt = Number(mark?.['now_ms']);
      const notices = rows.filter(({ name }) => name !== IDENTITY_NAME).reverse();
      const namesBefore = seenNames;
      seenNames = new Set(notices.map(({ name }) => String(name)));
      if (isStopped) return;
      if (hasMissed || notices.length > MAX_ROWS) return onPayload(undefined);
      for (const { name, value } of notices) if (!namesBefore.has(String(name))) onPayload(String(value));
    }

    async function run(): Promise<void> {
      try {
        await poll();
      } catch {
        // The next successful poll reports "any change".
        endMs = 0;
      }
      if (!isStopped) setTimeout(run, POLL_MS).unref();
    }

    void run();
    return () => {
      isStopped = true;
    };
  };
}

/** Sends payloads in the background, without retries. */
interface Notifier {
  send(payloads: readonly string[]): void;
  flush(): Promise<void>;
}

/** The maximum number of waiting payloads. More payloads are replaced by a single one that means "any change". */
const MAX_WAITING = 1_000;
const ANYTHING = '[]';

export function createNotifier(kysely: Kysely<SqlTables>, channel: string): Notifier {
  const statement = compileNotify(kysely);
  let waiting: string[] = [];
  let sending: Promise<void> | undefined;

  async function sendAll(): Promise<void> {
    await setImmediate();
    while (waiting.length > 0) {
      const payloads = JSON.stringify(waiting);
      waiting = [];
      try {
        await kysely.executeQuery(bind(statement, [payloads, randomUUID(), channel]));
      } catch {
        // The write is already acknowledged, and other nodes refresh their caches without notices as well.
      }
    }
    sending = undefined;
  }

  return {
    send(payloads) {
      waiting.push(...payloads);
      if (waiting.length > MAX_WAITING) waiting = [ANYTHING];
      sending ??= sendAll();
    },
    async flush() {
      await sending;
    },
  };
}

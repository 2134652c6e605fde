import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type ChangeNotice, WATCHED_COLLECTIONS } from '../../../../src/ports/index.ts';
import type { ChangeChannel } from '../changes.ts';
import type { SqlTables } from '../rows.ts';
import { metaTable } from '../tables.ts';
import { createNotifier } from './kept-notices.ts';
import type { Listen } from './listen.ts';

export interface Acknowledged {
  latest(): string | undefined;
  noteAcknowledged(id: string): void;
}

/** The maximum size of a payload in PostgreSQL, in bytes. */
const MAX_BYTES = 7_999;

/**
 * Opens the channel of the database, with NOTIFY and LISTEN. Its name depends on the schema of the tables, so that two
 * schemas of one database have separate channels. Without `listen` it only sends. It does not receive its own notices.
 */
export async function openPostgresChannel(
  kysely: Kysely<SqlTables>,
  acknowledgement: Acknowledged,
  listen?: Listen,
): Promise<ChangeChannel> {
  const { rows } = await sql<{ name: string }>`
    select 'ais_' || md5(n.nspname) as name
    from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where c.oid = to_regclass(${metaTable})`.execute(kysely);
  const name = rows[0]?.name;
  if (name === undefined) return {};
  const sender = randomUUID();
  const notifier = createNotifier(kysely, name);
  return {
    send(notices) {
      const source = { sender, latest: acknowledgement.latest() };
      notifier.send(notices.map((notice) => encode(source, notice)));
    },
    flush: () => notifier.flush(),
    ...(listen && {
      listen: (listener) =>
        listen(name, (payload) => {
          const message = payload === undefined ? undefined : decode(payload);
          if (message?.sender === sender) return;
          if (message?.latest !== undefined) acknowledgement.noteAcknowledged(message.latest);
          listener(message?.notice);
        }),
    }),
  };
}

interface Sender {
  readonly sender: string;
  readonly latest: string | undefined;
}

function encode({ sender, latest }: Sender, { collection, id, version }: ChangeNotice): string {
  const payload = JSON.stringify([sender, latest, collection, id, version]);
  return Buffer.byteLength(payload) <= MAX_BYTES ? payload : JSON.stringify([sender, latest]);
}

interface Message {
  readonly sender?: unknown;
  readonly latest?: string | undefined;
  readonly notice?: ChangeNotice;
}

/** Decodes a payload. An invalid payload counts as a notice of any change. */
function decode(payload: string): Message {
  try {
    const [sender, latest, collection, id, version] = JSON.parse(payload) as readonly unknown[];
    const source = { sender, latest: typeof latest === 'string' ? latest : undefined };
    const watchedCollection = WATCHED_COLLECTIONS.find((name) => name === collection);
    if (watchedCollection === undefined || typeof id !== 'string' || !Number.isSafeInteger(version))
      return source;
    return { ...source, notice: { collection: watchedCollection, id, version: Number(version) } };
  } catch {
    return {};
  }
}

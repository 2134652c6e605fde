import type { CompiledQuery } from 'kysely';
import type { SqlConnection } from '../marker.ts';
import type { SqlRow } from '../rows.ts';

/** The settings of the sessions of a storage, set in a way that poolers accept. */
export interface SessionSettings {
  /**
   * Sets a new connection up; resolves with whether it leads through a pooler. There it sets nothing that would stay:
   * the next transaction may run in another session, and another client may get this one.
   */
  begin(connection: SqlConnection, processId: number | null | undefined): Promise<boolean>;
  /** What follows the BEGIN of a transaction behind a pooler: the same settings for that transaction alone. */
  readonly local: string;
}

/** How long a statement may run, and how long a transaction may be idle, in milliseconds. */
interface Times {
  readonly statement_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/**
 * The settings of sessions whose calls are given up after `timeoutMs`. Without it the settings of the host stay.
 * A startup parameter would be shorter, but PgBouncer refuses connections that have one it does not know.
 */
export function createSessionSettings(timeoutMs?: number): SessionSettings {
  const times = timeoutMs === undefined ? undefined : timesOf(timeoutMs);
  const settings = Object.entries(times ?? {});
  return {
    async begin(connection, processId) {
      const isOther = `pg_backend_pid() <> ${Number(processId ?? 0)}`;
      const text = settings.length === 0 ? `select ${isOther} as other` : settingText(settings, isOther);
      const query = { sql: text, parameters: [] } as unknown as CompiledQuery;
      const [row] = (await connection.executeQuery(query)).rows as readonly SqlRow[];
      // Without a process id from the driver this cannot be decided.
      return typeof processId === 'number' && row?.['other'] === true;
    },
    local: settings.map(([name, ms]) => `; set local ${name} = ${ms}`).join(''),
  };
}

function timesOf(timeoutMs: number): Times {
  return {
    // Before the deadline of the call, so that the server itself reports the slow statement.
    statement_timeout: Math.ceil(timeoutMs * 0.9),
    // A node that hangs must not keep its row locks.
    idle_in_transaction_session_timeout: timeoutMs,
  };
}

/** Sets for the session, or behind a pooler for this statement; what the URL has set stays. */
function settingText(settings: readonly (readonly [string, number])[], isOther: string): string {
  const cases = settings.map(([name, ms]) => `when '${name}' then '${ms}'`).join(' ');
  const names = settings.map(([name]) => `'${name}'`).join(', ');
  return `
    select ${isOther} as other,
      count(case when source <> 'client' then set_config(name, case name ${cases} end, ${isOther}) end)
    from pg_catalog.pg_settings where name in (${names})`;
}

import type { CompiledQuery } from 'kysely';
import type { SqlConnection } from '../identity.ts';
import type { SqlRow } from '../rows.ts';

export interface SessionSettings {
  /**
   * Sets up a new connection. Resolves to `true` if the connection leads through a pooler. In this case, nothing is set
   * for the session. With a pooler, the next transaction may run in another session, and another client may get this
   * session.
   */
  begin(connection: SqlConnection, processId: number | null | undefined): Promise<boolean>;
  /**
   * The statements after the BEGIN of a transaction behind a pooler. They apply the same settings to one transaction.
   */
  readonly local: string;
}

interface Times {
  readonly statement_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/**
 * Creates the settings for calls that time out after `timeoutMs`. Without it, the settings of the application stay.
 * They are not sent as startup parameters, because PgBouncer refuses connections with unknown parameters.
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
      // Without a process id from the driver, a pooler cannot be detected.
      return typeof processId === 'number' && row?.['other'] === true;
    },
    local: settings.map(([name, ms]) => `; set local ${name} = ${ms}`).join(''),
  };
}

function timesOf(timeoutMs: number): Times {
  return {
    // Below the deadline of the call, so that the server itself reports the slow statement.
    statement_timeout: Math.ceil(timeoutMs * 0.9),
    // Releases the row locks of a node that hangs.
    idle_in_transaction_session_timeout: timeoutMs,
  };
}

/**
 * Builds the SQL that sets the session, or behind a pooler only this statement. Settings in the URL take precedence.
 */
function settingText(settings: readonly (readonly [string, number])[], isOther: string): string {
  const cases = settings.map(([name, ms]) => `when '${name}' then '${ms}'`).join(' ');
  const names = settings.map(([name]) => `'${name}'`).join(', ');
  return `
    select ${isOther} as other,
      count(case when source <> 'client' then set_config(name, case name ${cases} end, ${isOther}) end)
    from pg_catalog.pg_settings where name in (${names})`;
}

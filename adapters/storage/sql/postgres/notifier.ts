import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { SqlTables } from '../rows.ts';
import { bind } from '../statements.ts';
import { compileNotify } from './kept-notices.ts';

/** Sends payloads in the background, without retries. */
export interface Notifier {
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

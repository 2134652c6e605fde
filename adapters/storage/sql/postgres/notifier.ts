import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { SqlTables } from '../rows.ts';
import { bind } from '../statements.ts';
import { compileNotify } from './kept-notices.ts';

/** Sends payloads some time later, without retries. */
export interface Notifier {
  send(payloads: readonly string[]): void;
  /** Settles when all payloads are sent or have failed. */
  flush(): Promise<void>;
}

/** How many payloads wait for a slow server at most; one that stands for any change replaces more. */
const MAX_WAITING = 1_000;
const ANYTHING = '[]';

/** A notifier of one channel: sends the payloads of one turn of the event loop, or of a running statement, in one statement. */
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
        // The write is acknowledged, and nodes without the notice read again soon.
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

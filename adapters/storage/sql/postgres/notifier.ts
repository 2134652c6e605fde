import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { SqlTables } from '../rows.ts';
import { bind } from '../statements.ts';
import { compileNotify } from './kept-notices.ts';

/** Sends payloads some time later; one that is lost is lost. */
export interface Notifier {
  send(payloads: readonly string[]): void;
  /** Settles when all that was to be sent has been, or is lost. */
  flush(): Promise<void>;
}

/** What waits for a slow server is no more than that; instead of more there is one that stands for all. */
const MAX_WAITING = 1_000;
const ANYTHING = '[]';

/** A notifier of one channel: what comes in one turn of the event loop, or during a statement, is one statement. */
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
        // The write is acknowledged, and who did not hear of it asks again soon.
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

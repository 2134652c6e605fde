/** Limits a log to 60 lines of a kind per minute, then writes one line with the number of omitted lines. */
import type { After } from '../../ports/host.ts';
import type { LogEvent, Logger } from '../../ports/storage.ts';

export interface BoundedLog {
  readonly log: Logger;
  close(): void;
}

export const MAX_LINES = 60;
const WINDOW_MS = 60_000;

interface Window {
  lines: number;
  suppressed: number;
}

/**
 * Limits `log`. The kind of a line is its `event`, `code` and `reason`, so that many equal errors do not hide a
 * different error.
 */
export function boundLog(log: Logger, schedule: After): BoundedLog {
  const windows = new Map<string, Window>();

  /** Writes a line. Catches errors of the logger, so that a logged change does not appear to have failed. */
  function write(event: LogEvent): void {
    try {
      log(event);
    } catch {
      // There is no other place to report it.
    }
  }

  function end(kind: string): void {
    const { suppressed = 0 } = windows.get(kind) ?? {};
    windows.delete(kind);
    if (suppressed === 0) return;
    const message = `${suppressed} more lines of ${kind} were left out within a minute.`;
    write({ level: 'warn', event: 'log_suppressed', message, of: kind, suppressed });
  }

  return {
    log(event) {
      const kind = kindOf(event);
      let window = windows.get(kind);
      if (window === undefined) {
        window = { lines: 0, suppressed: 0 };
        windows.set(kind, window);
        schedule(WINDOW_MS, () => end(kind));
      }
      if (window.lines === MAX_LINES) {
        window.suppressed += 1;
      } else {
        window.lines += 1;
        write(event);
      }
    },
    close() {
      for (const kind of [...windows.keys()]) end(kind);
    },
  };
}

function kindOf({ event, code, reason }: LogEvent): string {
  return [event, code, reason].filter((part) => typeof part === 'string').join(' ');
}

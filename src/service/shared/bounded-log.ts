/** A log that a flood cannot fill: at most 60 lines of a kind each minute, then one line with the number of the rest. */
import type { After } from '../../ports/host.ts';
import type { LogEvent, Logger } from '../../ports/storage.ts';

/** A logger, and its end. */
export interface BoundedLog {
  readonly log: Logger;
  /** Reports the lines that were left out and not reported yet. */
  close(): void;
}

/** Lines of a kind in a window: enough to see who and from where, few enough to keep. */
export const MAX_LINES = 60;
const WINDOW_MS = 60_000;

interface Window {
  lines: number;
  suppressed: number;
}

/**
 * `log`, bounded. The kind of a line is its `event`, with its `code` and its `reason` where it has them, so that a
 * flood of one refusal does not hide another.
 */
export function boundLog(log: Logger, after: After): BoundedLog {
  const windows = new Map<string, Window>();

  /** The event has already happened: a logger that throws must not make the change look as if it had failed. */
  function write(event: LogEvent): void {
    try {
      log(event);
    } catch {
      // There is nowhere else to say it.
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
        after(WINDOW_MS, () => end(kind));
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

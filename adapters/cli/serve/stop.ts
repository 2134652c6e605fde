/** The end of a process that serves. */
import type { Logger } from '../../../src/index.ts';
import type { HttpServer } from './http-server.ts';

/** The milliseconds that running requests may take after a signal; the rest of the ten seconds is for what follows. */
const GRACE_MS = 8_000;
const LAST_MS = 9_500;

/** The things that end with the server. */
export interface Served {
  /** Ends what would keep requests open. */
  end(): void;
  /** Ends the rest, once all requests are answered. */
  close(): Promise<void>;
}

/** Finishes running requests, then the rest; the process ends within ten seconds in any case. */
export async function stopAt(
  signal: NodeJS.Signals,
  server: HttpServer,
  { end, close }: Served,
  log: Logger,
): Promise<void> {
  // What does not end in time must not hold up the process.
  setTimeout(() => process.exit(0), LAST_MS).unref();
  log({ level: 'info', event: 'stopping', message: `${signal}: finishing what runs.` });
  end();
  await server.stop(GRACE_MS);
  await close();
  log({ level: 'info', event: 'stopped', message: 'Stopped.' });
}

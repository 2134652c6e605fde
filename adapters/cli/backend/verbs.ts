import type { AdminClient, IdentityClient } from '../../../src/client.ts';
import type { CreateAll } from '../../../src/types.ts';
import type { PassportToImport } from '../import/passport-line.ts';

/** The verbs of an account, in this process over its storage or behind a URL, and what the command needs beside them. */
export interface Backend extends Omit<AdminClient, 'webhooks'> {
  /**
   * Issues several passports, each with the status that it had elsewhere; one with children may be suspended instead of
   * revoked.
   */
  importPassports(passports: readonly PassportToImport[]): ReturnType<CreateAll>;
  /** The number of passports that one call of `importPassports` takes. */
  readonly importsAtOnce: number;
  /** Finishes in this process the erasures that have begun; behind a URL the service does that by itself. */
  finishErasures(): Promise<void>;
  /** Returns the bytes of a tile of a log, by its path. */
  logTile(logId: string, path: string): Promise<Uint8Array>;
  /** Closes what the command has opened. */
  close(): Promise<void>;
}

/** The verbs of an account, with those of webhooks. */
export interface WebhookBackend extends Backend, Pick<AdminClient, 'webhooks'> {}

/** The verdicts of a service, for a verb that only asks for one. */
export interface Verifier extends Pick<IdentityClient, 'verify'> {
  /** Closes what the command has opened. */
  close(): Promise<void>;
}

/** The options that say which service a command means. */
export interface BackendOptions {
  readonly url?: string;
  readonly storage: string;
  readonly account?: string;
  readonly email: string;
  readonly passwordFile?: string;
  readonly json?: boolean;
  /** The public URL, of commands that sign, with `storage`. */
  readonly publicUrl?: string;
}

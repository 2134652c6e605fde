import type { AdminClient, IdentityClient } from '../../../src/client.ts';
import type { CreateAll } from '../../../src/types.ts';
import type { PassportToImport } from '../import/passport-line.ts';

/** The methods of an account and some more that the command needs. The service runs in this process or behind a URL. */
export interface Backend extends Omit<AdminClient, 'webhooks'> {
  /**
   * Issues several passports, each with the status that it had elsewhere; one with children may be suspended instead of
   * revoked.
   */
  importPassports(passports: readonly PassportToImport[]): ReturnType<CreateAll>;
  /** The number of passports that one call of `importPassports` takes. */
  readonly importsAtOnce: number;
  /** Finishes the erasures that have begun, in this process. A service behind a URL finishes them automatically. */
  finishErasures(): Promise<void>;
  /** Returns the bytes of a tile of a log, by its path. */
  logTile(logId: string, path: string): Promise<Uint8Array>;
  /** Closes what the command has opened. */
  close(): Promise<void>;
}

/** The methods of an account, including its webhooks. */
export interface WebhookBackend extends Backend, Pick<AdminClient, 'webhooks'> {}

/** The verdicts of a service, for a command that asks for one verdict. */
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

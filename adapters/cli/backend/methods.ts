import type { AdminClient, IdentityClient } from '../../../src/client.ts';
import type { CreateAll } from '../../../src/types.ts';
import type { PassportToImport } from '../import/passport-line.ts';

export interface Backend extends Omit<AdminClient, 'webhooks'> {
  /**
   * Issues several passports, each with its previous status. A revoked passport with child agents may be suspended
   * instead.
   */
  importPassports(passports: readonly PassportToImport[]): ReturnType<CreateAll>;
  readonly importsAtOnce: number;
  /** Completes the erasures that have begun, in this process. A service at a URL completes them automatically. */
  finishErasures(): Promise<void>;
  logTile(logId: string, path: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface WebhookBackend extends Backend, Pick<AdminClient, 'webhooks'> {}

export interface Verifier extends Pick<IdentityClient, 'verify'> {
  close(): Promise<void>;
}

export interface BackendOptions {
  readonly url?: string;
  readonly storage: string;
  readonly account?: string;
  readonly email: string;
  readonly passwordFile?: string;
  readonly json?: boolean;
  /** The public URL of the service, for commands that sign documents with direct access to `storage`. */
  readonly publicUrl?: string;
}

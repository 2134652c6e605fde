import type { PrivateServer } from './private-servers.mjs';

/** What a PgBouncer is started with. */
export interface PgBouncerOptions {
  /** The port of the PostgreSQL server on 127.0.0.1. */
  readonly target: number;
  readonly mode: 'session' | 'transaction';
  /** Settings of its section `pgbouncer`; they go before ours. */
  readonly options?: Readonly<Record<string, string>>;
}

/** A new PgBouncer that has answered; rejects where none is installed. Its URL leads to the database `postgres`. */
export declare function startPgBouncer(options: PgBouncerOptions): Promise<PrivateServer>;

/** Whether a PgBouncer is installed that can be started. */
export declare function hasPgBouncer(): boolean;

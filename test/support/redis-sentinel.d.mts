import type { PrivateServer, PrivateServerOptions } from './private-servers.mjs';

export interface SentinelOptions {
  /** Default: 1. */
  readonly quorum?: number;
  /** Default: 1,000 ms. */
  readonly downAfterMs?: number;
  /** More lines of its configuration. */
  readonly lines?: readonly string[];
}

/** A new Sentinel that has answered, and watches the Redis on that port of 127.0.0.1 as `agents`. */
export declare function startSentinel(watched: number, options?: SentinelOptions): Promise<PrivateServer>;

export interface WatchedOptions {
  /** Default: 2. */
  readonly replicas?: number;
  readonly downAfterMs?: number;
  readonly options?: PrivateServerOptions['options'];
}

export interface WatchedServers {
  /** The URL with the addresses of the Sentinels. */
  readonly url: string;
  /** The first primary, and its replicas. */
  readonly servers: readonly PrivateServer[];
  readonly sentinels: readonly PrivateServer[];
  /** The server that the first Sentinel names. */
  primary(): Promise<PrivateServer | undefined>;
  /** Settles when the Sentinels are able to fail over. */
  ready(): Promise<void>;
  remove(): Promise<void>;
}

/** Three Sentinels over a primary and its replicas, which follow it. */
export declare function startWatched(options?: WatchedOptions): Promise<WatchedServers>;

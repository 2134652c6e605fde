import type { PrivateServer, PrivateServerOptions } from './private-servers.mjs';

export interface ClusterOptions {
  /** Default: 3. */
  readonly primaries?: number;
  /** The replicas of each primary, or of each one in turn. Default: 1. */
  readonly replicas?: number | readonly number[];
  /** Default: 2,000 ms. */
  readonly nodeTimeoutMs?: number;
  readonly options?: PrivateServerOptions['options'];
}

/** A server of a cluster. */
export interface ClusterServer extends PrivateServer {
  readonly id: string;
}

export interface PrivateCluster {
  /** The URL with the addresses of all servers. */
  readonly url: string;
  /** The primaries first, as they were at the start. */
  readonly servers: readonly ClusterServer[];
  /** The present primary of a key. */
  primaryOf(key: string): Promise<ClusterServer>;
  /** The servers of the shard that has a key, and those of each other one; the primary of each comes first. */
  shardsOf(key: string): Promise<{
    readonly own: readonly ClusterServer[];
    readonly others: readonly (readonly ClusterServer[])[];
  }>;
  remove(): Promise<void>;
}

/** A new cluster that takes writes, and whose replicas follow. */
export declare function startCluster(options?: ClusterOptions): Promise<PrivateCluster>;

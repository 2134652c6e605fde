import type { PrivateServer } from './private-servers.mjs';

/** A new Sentinel that has answered, and watches the Redis on that port of 127.0.0.1. */
export declare function startSentinel(watched: number): Promise<PrivateServer>;

/** The answer of the Redis on a port of 127.0.0.1 to a command, on a connection of its own. */
export declare function tellRedis(port: number, words: readonly string[]): Promise<unknown>;

/** Waits until it holds, at most half a minute; a question that fails does not hold. */
export declare function waitFor(what: string, holds: () => Promise<boolean>): Promise<void>;

/** What a server says of itself. */
export interface RedisServer {
  /** `master` or `slave`. */
  readonly role: string;
  /**
   * The time in which one process takes writes without an interruption: a start and a replica that takes over each
   * begin a new one. '' where the server does not tell.
   */
  readonly run: string;
}

/** What the answer to `INFO replication` says. */
export function readServer(answer: unknown): RedisServer {
  const text = String(answer);
  const read = (name: string): string => new RegExp(`^${name}:(\\S*)`, 'm').exec(text)?.[1] ?? '';
  return { role: read('role'), run: read('master_replid') };
}

/** Makes the standby at a URL the primary; settles when it takes writes. */
export declare function promotePostgres(url: string): Promise<void>;
/** The rows of a question to the PostgreSQL at a URL. */
export declare function rowsOf(
  url: string,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]>;

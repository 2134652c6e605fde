/** Makes the standby at a URL the primary; settles when it takes writes. */
export declare function promotePostgres(url: string): Promise<void>;

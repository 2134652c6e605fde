/** What `private-servers.mjs` gives. */

export interface PrivateServerOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** Settings by their name, such as `{ fsync: 'off' }` or `{ appendfsync: 'everysec' }`; they go before ours. */
  readonly options?: Readonly<Record<string, string>>;
}

/** A server of one's own. It ends, and its folder goes, with the process that started it. */
export interface PrivateServer {
  readonly url: string;
  readonly port: number;
  /** Its data, its log (`log`), and of PostgreSQL its socket. */
  readonly folder: string;
  /** SIGKILL to it and all its children at once; settles when they are dead. Nothing, when it does not run. */
  kill(): Promise<void>;
  /** Ends it in good order, a frozen one too. Nothing, when it does not run. */
  stop(): Promise<void>;
  /** SIGSTOP to it and all its children: connections stay open, and nothing answers. */
  freeze(): void;
  /** Takes `freeze` back. */
  thaw(): void;
  /** Starts it on the same port and data, and settles when it answers; one that runs is stopped before. */
  restart(): Promise<void>;
  /** Kills it and removes its folder. */
  remove(): Promise<void>;
}

export interface PostgresServerOptions extends PrivateServerOptions {
  /** The URL of a primary: the server is a hot standby of it, with all that is there now. */
  readonly of?: string;
}

/** A new PostgreSQL that has answered; rejects where none is installed. Its user is `root`, without a password. */
export declare function startPostgres(options?: PostgresServerOptions): Promise<PrivateServer>;

/** Whether a PostgreSQL is installed that can be started. */
export declare function hasPostgresProgram(): boolean;

/**
 * A new Redis that has answered, with `appendonly yes`, `appendfsync always` and `noeviction`; rejects where none
 * is installed.
 */
export declare function startRedis(options?: PrivateServerOptions): Promise<PrivateServer>;

/** The words to put before a command line, so that the process gets the signal when this one has died. */
export declare function tiedToParent(signalName: string, owner?: readonly string[]): readonly string[];

/** A port of 127.0.0.1 without a listener, and that the kernel gives to no client. Each is given once. */
export declare function freePort(): Promise<number>;

/** A new folder in the system's folder for temporary files, of the user that PostgreSQL runs as. */
export declare function folderOfPostgres(prefix: string): string;

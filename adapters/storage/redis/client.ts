import { IdentityError } from '../../../src/ports/index.ts';

/** The arguments of a command. */
export type RedisArgument = string | Buffer;

/** How the texts of an answer are read: as UTF-8 strings, or as bytes. */
export type ReplyTexts = 'strings' | 'bytes';

/** The members of a client of `@redis/client`, to one server, that are used. */
export interface RedisClient {
  /** Whether `connect` was called, and the client not ended since. */
  readonly isOpen: boolean;
  /** Whether it is connected. */
  readonly isReady: boolean;
  readonly options?: { readonly socket?: object };
  connect(): Promise<unknown>;
  sendCommand(args: readonly RedisArgument[], options?: { readonly typeMapping: object }): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  duplicate(overrides: object): RedisClient;
  /** Lets the process end while it is connected. */
  unref(): void;
  /** Ends it at once: calls without an answer reject. */
  destroy(): void;
  on(event: string, listener: (error: unknown) => void): unknown;
  off(event: string, listener: (error: unknown) => void): unknown;
}

/** Where a client connects to, and how. */
export type ClientOptions = Readonly<Record<string, unknown>>;

/** The read of Keyv, one command for all keys. */
export interface KeyvReader {
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  on(event: 'error', listener: () => void): unknown;
}

/** The used members of the packages. */
export interface RedisPackages {
  readonly Keyv: new (store: object, options: object) => KeyvReader;
  readonly KeyvRedis: new (client: object, options: object) => object;
  readonly createClient: (options: ClientOptions) => RedisClient;
}

/** The packages; throws `invalid_configuration` where they are not installed. */
export async function loadRedis(): Promise<RedisPackages> {
  try {
    const [{ Keyv }, { default: KeyvRedis, createClient }] = (await Promise.all([
      import('keyv'),
      import('@keyv/redis'),
    ])) as unknown as [
      Pick<RedisPackages, 'Keyv'>,
      Pick<RedisPackages, 'createClient'> & { readonly default: RedisPackages['KeyvRedis'] },
    ];
    return { Keyv, KeyvRedis, createClient };
  } catch (cause) {
    const message = 'Redis needs packages: npm install keyv @keyv/redis';
    throw new IdentityError('invalid_configuration', message, { cause });
  }
}

import { IdentityError } from '../../../src/ports/index.ts';

/** What a command is made of. */
export type RedisArgument = string | Buffer;

/** What the texts of an answer become: strings where they are UTF-8, or bytes as they are. */
export type ReplyTexts = 'strings' | 'bytes';

/** The members of a client of `@redis/client`, to one server, that are used. */
export interface RedisClient {
  /** Whether it was told to connect, and not yet to end. */
  readonly isOpen: boolean;
  /** Whether it is connected. */
  readonly isReady: boolean;
  readonly options?: { readonly socket?: object };
  connect(): Promise<unknown>;
  sendCommand(args: readonly RedisArgument[], options?: { readonly typeMapping: object }): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  duplicate(overrides: object): RedisClient;
  /** Keeps the process alive no more. */
  unref(): void;
  /** Ends it at once: what waits for an answer rejects. */
  destroy(): void;
  on(event: string, listener: (error: unknown) => void): unknown;
  off(event: string, listener: (error: unknown) => void): unknown;
}

/** Where a client connects to, and how. */
export type ClientOptions = Readonly<Record<string, unknown>>;

/** What Keyv reads, one command for all keys. */
export interface KeyvReader {
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  on(event: 'error', listener: () => void): unknown;
}

/** The packages, as far as they are used. */
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

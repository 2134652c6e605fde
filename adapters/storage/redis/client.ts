import { IdentityError } from '../../../src/ports/index.ts';

/** An argument of a command. */
export type RedisArgument = string | Buffer;

/** The form of texts in an answer: UTF-8 strings, or bytes. */
export type ReplyTexts = 'strings' | 'bytes';

/** Sends one command and returns its answer. */
export type Send = (args: readonly RedisArgument[], texts?: ReplyTexts) => Promise<unknown>;

/**
 * The members of a `@redis/client` client that the storage uses. The client of an application needs the same members.
 */
export interface RedisClient {
  /** `true` after `connect` was called, until the client is ended. */
  readonly isOpen: boolean;
  /** `true` while the client is connected. */
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  sendCommand(args: readonly RedisArgument[], options?: { readonly typeMapping: object }): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  /** Lets the process end while the client is connected. */
  unref(): void;
  /** Ends the client at once. Calls without an answer reject. */
  destroy(): void;
  on(event: string, listener: (error: unknown) => void): unknown;
  off(event: string, listener: (error: unknown) => void): unknown;
}

/** A client that the application has created. */
export interface HostClient extends RedisClient {
  readonly options?: { readonly socket?: object };
  duplicate(overrides: object): RedisClient;
}

/** The options of a client. */
export type ClientOptions = Readonly<Record<string, unknown>>;

/** The part of Keyv that reads many keys with one command. */
export interface KeyvReader {
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  on(event: 'error', listener: () => void): unknown;
}

/** The exports of the packages `keyv` and `@keyv/redis` that the storage uses. */
export interface RedisPackages {
  readonly Keyv: new (store: object, options: object) => KeyvReader;
  readonly KeyvRedis: new (client: object, options: object) => object;
  readonly createClient: (options: ClientOptions) => RedisClient;
}

/** Loads the packages; throws `invalid_configuration` if they are not installed. */
export async function loadRedis(): Promise<RedisPackages> {
  try {
    const [{ Keyv }, { default: KeyvRedis, createClient }] = (await Promise.all([
      import('keyv'),
      import('@keyv/redis'),
    ])) as unknown as [
      Pick<RedisPackages, 'Keyv'>,
      Pick<RedisPackages, 'createClient'> & { readonly default: RedisPackages['KeyvRedis'] },
    ];
    return { Keyv, KeyvRedis, createClient: (options) => createClient({ ...options, toJSON: ofOneClass }) };
  } catch (cause) {
    const message = 'Redis needs packages: npm install keyv @keyv/redis';
    throw new IdentityError('invalid_configuration', message, { cause });
  }
}

/**
 * Gives the options of all clients the same JSON text. node-redis looks up the class of a client by this text. With a
 * different text for each address, it would create a class of some 400 commands for each attempt to connect.
 */
function ofOneClass(): string {
  return 'agent-identity-service';
}

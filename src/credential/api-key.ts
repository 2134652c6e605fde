import { readBase62 } from '../base/bytes/base62.ts';
import { MANAGEMENT_PREFIX } from '../base/values/scopes.ts';
import { hashing } from '../platform/index.ts';
import type { RandomSource } from '../ports/storage.ts';
import type { Environment } from '../records.ts';
import { createSecretText, digestText, isSecretText } from './random-id.ts';

export interface ApiKeyCredential {
  readonly environment: Environment;
  /** The SHA-256 of the key's text, as 64 hexadecimal digits. It must be equal to the stored digest. */
  readonly digest: string;
}

/** A new API key. The text of the key is available only now. */
export interface CreatedApiKey extends Pick<ApiKeyCredential, 'digest'> {
  readonly key: string;
  readonly id: string;
  /** The prefix and 4 characters of the secret. Only this part may be shown later. */
  readonly start: string;
}

const PREFIXES: Readonly<Record<Environment, string>> = { live: 'ais_live_', test: 'ais_test_' };
const PREFIX_LENGTH = 9;
const START_LENGTH = PREFIX_LENGTH + 4;
const KEY_LENGTH = PREFIX_LENGTH + 49;

/** Creates an API key for an environment, or a management key: prefix, 43 random base62 digits (256 bits), checksum. */
export function createApiKey(kind: Environment | 'manage', random: RandomSource): CreatedApiKey {
  const prefix = kind === 'manage' ? MANAGEMENT_PREFIX : PREFIXES[kind];
  const key = createSecretText(prefix, random);
  const digest = hashing.sha256Hex(key);
  return { key, start: key.slice(0, prefix.length + 4), id: apiKeyId(digest), digest };
}

export function managementKeyDigest(text: string): string | undefined {
  return isSecretText(text, MANAGEMENT_PREFIX) ? hashing.sha256Hex(text) : undefined;
}

export function managementKeyStart(text: string): string | undefined {
  const start = text.slice(0, MANAGEMENT_PREFIX.length + 4);
  const isWhole = start.length === MANAGEMENT_PREFIX.length + 4;
  return isWhole && readBase62(start, MANAGEMENT_PREFIX.length) >= 0 ? start : undefined;
}

/**
 * Returns the digest of a text with the length of an API key, to find a cached key. Does not check format and checksum,
 * which would take as long as the digest.
 */
export function apiKeyDigest(text: string): string | undefined {
  return text.length === KEY_LENGTH ? hashing.sha256Hex(text) : undefined;
}

/** Returns the first characters of an API key in a request, if the text looks like one. Only this part may be shown. */
export function shownStart(text: unknown): string | undefined {
  if (typeof text !== 'string' || readEnvironment(text) === undefined) return undefined;
  const start = text.slice(0, START_LENGTH);
  return start.length === START_LENGTH && readBase62(start, PREFIX_LENGTH) >= 0 ? start : undefined;
}

/** Reads an API key. Returns `undefined` if its format or checksum is wrong, so that the storage is not read. */
export function readApiKey(text: string): ApiKeyCredential | undefined {
  const environment = readEnvironment(text);
  if (environment === undefined || !isSecretText(text, PREFIXES[environment])) return undefined;
  return { environment, digest: hashing.sha256Hex(text) };
}

/**
 * Returns the id of the key with this digest: `key_` and the first 128 bits as 22 base62 digits. The conversion takes
 * some microseconds, so caches should use the digest instead.
 */
export function apiKeyId(digest: string): string {
  return `key_${digestText(digest)}`;
}

function readEnvironment(text: string): Environment | undefined {
  if (text.startsWith(PREFIXES.live)) return 'live';
  if (text.startsWith(PREFIXES.test)) return 'test';
  return undefined;
}

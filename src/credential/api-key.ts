import { base62, readBase62 } from '../base/base62.ts';
import { crc32OfText } from '../base/crc32.ts';
import { hashing } from '../platform/index.ts';
import type { RandomSource } from '../ports/storage.ts';
import type { Environment } from '../records.ts';
import { digestText, randomText } from './random-id.ts';

/** What can be read off a well-formed API key; whether it exists, only the storage knows. */
export interface ApiKeyCredential {
  readonly environment: Environment;
  /** SHA-256 of the key's text, as 64 hexadecimal digits. The stored one must equal the whole of it. */
  readonly digest: string;
}

/** A key that was just made: the only time its text is at hand. */
export interface CreatedApiKey extends ApiKeyCredential {
  readonly key: string;
  /** As {@link apiKeyId} gives it. */
  readonly id: string;
  /** The prefix and 4 characters: all of it that may ever be shown again. */
  readonly start: string;
}

const PREFIXES: Readonly<Record<Environment, string>> = { live: 'ais_live_', test: 'ais_test_' };
const PREFIX_LENGTH = 9;
/** With 4 characters of the secret. */
const START_LENGTH = PREFIX_LENGTH + 4;
const SECRET_LENGTH = 43;
const CHECKED_LENGTH = PREFIX_LENGTH + SECRET_LENGTH;
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = CHECKED_LENGTH + CHECKSUM_LENGTH;

/** A new API key: prefix, 43 random base62 digits (256 bits), checksum. */
export function createApiKey(environment: Environment, random: RandomSource): CreatedApiKey {
  const checked = PREFIXES[environment] + randomText(SECRET_LENGTH, random);
  const key = checked + base62(crc32OfText(checked), CHECKSUM_LENGTH);
  const digest = hashing.sha256Hex(key);
  return { key, start: key.slice(0, START_LENGTH), environment, id: apiKeyId(digest), digest };
}

/**
 * The digest of a text as long as an API key, to find it among those that were read before: its shape and checksum
 * need no second look, which takes as long as the digest.
 */
export function apiKeyDigest(text: string): string | undefined {
  return text.length === KEY_LENGTH ? hashing.sha256Hex(text) : undefined;
}

/** What may be shown of a text that came as an API key: its start, where it looks like one of ours. */
export function shownStart(text: unknown): string | undefined {
  if (typeof text !== 'string' || readEnvironment(text) === undefined) return undefined;
  const start = text.slice(0, START_LENGTH);
  return start.length === START_LENGTH && readBase62(start, PREFIX_LENGTH) >= 0 ? start : undefined;
}

/** What the text of an API key says; `undefined` when its shape or checksum is wrong, so that no storage is asked. */
export function readApiKey(text: string): ApiKeyCredential | undefined {
  if (text.length !== KEY_LENGTH) return undefined;
  const environment = readEnvironment(text);
  if (environment === undefined || readBase62(text, PREFIX_LENGTH) < 0) return undefined;
  if (readBase62(text, CHECKED_LENGTH) !== crc32OfText(text, CHECKED_LENGTH)) return undefined;
  return { environment, digest: hashing.sha256Hex(text) };
}

/**
 * Where the key of this digest is stored: `key_` and the first 128 bits as 22 base62 digits. It takes some
 * microseconds: a cache is better keyed by the digest.
 */
export function apiKeyId(digest: string): string {
  return `key_${digestText(digest)}`;
}

function readEnvironment(text: string): Environment | undefined {
  if (text.startsWith(PREFIXES.live)) return 'live';
  if (text.startsWith(PREFIXES.test)) return 'test';
  return undefined;
}

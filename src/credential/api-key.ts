import { readBase62 } from '../base/bytes/base62.ts';
import { MANAGEMENT_PREFIX } from '../base/values/scopes.ts';
import { hashing } from '../platform/index.ts';
import type { RandomSource } from '../ports/storage.ts';
import type { Environment } from '../records.ts';
import { createSecretText, digestText, isSecretText } from './random-id.ts';

/** The data in a well-formed API key. Only the storage knows whether the key exists. */
export interface ApiKeyCredential {
  readonly environment: Environment;
  /** The SHA-256 of the key's text, as 64 hexadecimal digits. It must equal the stored one in full. */
  readonly digest: string;
}

/** A new key. Its text is available only now. */
export interface CreatedApiKey extends Pick<ApiKeyCredential, 'digest'> {
  readonly key: string;
  /** The id, as {@link apiKeyId} derives it. */
  readonly id: string;
  /** The prefix and 4 characters of the secret: the only part that may be shown again. */
  readonly start: string;
}

const PREFIXES: Readonly<Record<Environment, string>> = { live: 'ais_live_', test: 'ais_test_' };
const PREFIX_LENGTH = 9;
/** The prefix and 4 characters of the secret. */
const START_LENGTH = PREFIX_LENGTH + 4;
const KEY_LENGTH = PREFIX_LENGTH + 49;

/** Creates an API key of an environment, or a management key: prefix, 43 random base62 digits (256 bits), checksum. */
export function createApiKey(kind: Environment | 'manage', random: RandomSource): CreatedApiKey {
  const prefix = kind === 'manage' ? MANAGEMENT_PREFIX : PREFIXES[kind];
  const key = createSecretText(prefix, random);
  const digest = hashing.sha256Hex(key);
  return { key, start: key.slice(0, prefix.length + 4), id: apiKeyId(digest), digest };
}

/** Returns the digest of a management key; `undefined` if its shape or checksum is wrong. */
export function managementKeyDigest(text: string): string | undefined {
  return isSecretText(text, MANAGEMENT_PREFIX) ? hashing.sha256Hex(text) : undefined;
}

/** Returns the start of a text that was sent as a management key, if it looks like one. */
export function managementKeyStart(text: string): string | undefined {
  const start = text.slice(0, MANAGEMENT_PREFIX.length + 4);
  const isWhole = start.length === MANAGEMENT_PREFIX.length + 4;
  return isWhole && readBase62(start, MANAGEMENT_PREFIX.length) >= 0 ? start : undefined;
}

/**
 * Returns the digest of a text with the length of an API key, to find a key that was read before. Checks neither shape
 * nor checksum, which would take as long as the digest.
 */
export function apiKeyDigest(text: string): string | undefined {
  return text.length === KEY_LENGTH ? hashing.sha256Hex(text) : undefined;
}

/** Returns the start of a text that was sent as an API key, if it looks like one; only this part may be shown. */
export function shownStart(text: unknown): string | undefined {
  if (typeof text !== 'string' || readEnvironment(text) === undefined) return undefined;
  const start = text.slice(0, START_LENGTH);
  return start.length === START_LENGTH && readBase62(start, PREFIX_LENGTH) >= 0 ? start : undefined;
}

/** Reads an API key; `undefined` when its shape or checksum is wrong, so that no storage is asked. */
export function readApiKey(text: string): ApiKeyCredential | undefined {
  const environment = readEnvironment(text);
  if (environment === undefined || !isSecretText(text, PREFIXES[environment])) return undefined;
  return { environment, digest: hashing.sha256Hex(text) };
}

/**
 * Returns the id under which the key of this digest is stored: `key_` and the first 128 bits as 22 base62 digits. It
 * takes some microseconds: a cache is better keyed by the digest.
 */
export function apiKeyId(digest: string): string {
  return `key_${digestText(digest)}`;
}

function readEnvironment(text: string): Environment | undefined {
  if (text.startsWith(PREFIXES.live)) return 'live';
  if (text.startsWith(PREFIXES.test)) return 'test';
  return undefined;
}

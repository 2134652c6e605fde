import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64Url, toBase64Url } from '../base/bytes/base64url.ts';
import { equalBytes } from '../platform/index.ts';

/** Signs texts, so that only holders of the key can create them. The content stays readable. */
export interface Seal {
  /** Returns `content` in base64url, a dot, and 16 bytes of HMAC-SHA256 of `content` and `purpose`. */
  close(purpose: string, content: string): string;
  /** Returns the content. Returns `undefined` if the text was not sealed for this purpose with this key. */
  open(purpose: string, text: string): string | undefined;
  /** Does the same as `close` with bytes. */
  closeBytes(purpose: string, content: Uint8Array): string;
  /** Does the same as `open` with bytes. */
  openBytes(purpose: string, text: string): Uint8Array | undefined;
  /**
   * Returns 12 characters that only holders of the key can compute. The characters are always the same for the same
   * purpose and content.
   */
  hint(purpose: string, content: string): string;
}

/**
 * Creates a seal with a key derived from `secret`. Nodes with the same secret can open each other's texts, and texts
 * that were sealed with a previous secret.
 */
export function createSeal(secret: Uint8Array, ...previous: readonly Uint8Array[]): Seal {
  const tagWith = tagger(secret);
  const taggers = [tagWith, ...previous.map(tagger)];

  function closeBytes(purpose: string, content: Uint8Array): string {
    const payload = toBase64Url(content);
    return `${payload}.${tagWith(purpose, payload)}`;
  }

  function openBytes(purpose: string, text: string): Uint8Array | undefined {
    const dot = text.indexOf('.');
    const payload = text.slice(0, Math.max(dot, 0));
    const tag = utf8ToBytes(text.slice(dot + 1));
    const isOurs = taggers.some((tagOf) => equalBytes(tag, utf8ToBytes(tagOf(purpose, payload))));
    return isOurs ? fromBase64Url(payload) : undefined;
  }

  return {
    hint: (purpose, content) => tagWith(purpose, content).slice(0, 12),
    closeBytes,
    openBytes,
    close: (purpose, content) => closeBytes(purpose, utf8ToBytes(content)),
    open(purpose, text) {
      const content = openBytes(purpose, text);
      return content && new TextDecoder().decode(content);
    },
  };
}

function tagger(secret: Uint8Array): (purpose: string, payload: string) => string {
  // Derived with the first page, not at the start of the service: the first HMAC takes a millisecond.
  let key: Uint8Array | undefined;
  return (purpose, payload) => {
    key ??= hmac(sha256, secret, utf8ToBytes('agent-identity-service seal'));
    return toBase64Url(hmac(sha256, key, utf8ToBytes(`${purpose}\n${payload}`)).subarray(0, 16));
  };
}

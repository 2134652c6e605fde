import { canonicalJson } from '../base/values/canonical-json.ts';

/**
 * Returns the bytes of an envelope that are signed (AIP-1, canonical serialization): all of it but `proof`, in UTF-8.
 */
export function signedBytes(envelope: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> {
  const { proof: _, ...signed } = envelope;
  return new TextEncoder().encode(canonicalJson(signed));
}

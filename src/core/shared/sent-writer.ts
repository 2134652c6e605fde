/** Names the journal writer for verdicts that a local verifier sends. */
import { digestText } from '../../credential/random-id.ts';
import { hashing } from '../../platform/index.ts';

const WRITER_DIGITS = 18;

/**
 * Returns the id of the journal writer, computed from the API key and `digits`: the 32 random digits that a
 * verifier chooses when it starts. No other key can have this id.
 */
export function sentWriter(key_id: string, digits: string): string {
  return digestText(hashing.sha256Hex(`verifier${key_id}${digits}`)).slice(-WRITER_DIGITS);
}

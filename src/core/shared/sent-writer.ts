/** The writer of the journal under which the verdicts of a local verifier are filed. */
import { digestText } from '../../credential/random-id.ts';
import { hashing } from '../../platform/index.ts';

const WRITER_DIGITS = 18;

/** Returns the writer, which only this key can name, for the 32 digits of one start of a verifier. */
export function sentWriter(key_id: string, digits: string): string {
  return digestText(hashing.sha256Hex(`verifier${key_id}${digits}`)).slice(-WRITER_DIGITS);
}

/** Reads and verifies signed notes (c2sp.org/signed-note): a text with Ed25519 signatures. */

import { fromPaddedBase64, toPaddedBase64 } from '../base/bytes/base64.ts';
import { toBase64Url } from '../base/bytes/base64url.ts';
import { toHex } from '../base/bytes/hex.ts';
import { importPublicKey, verifyBytes } from '../platform/signing.ts';

const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const MAX_SIGNATURES = 100;
const MAX_CHARACTERS = 65_536;

/** A public key that verifies notes. */
export interface NoteKey {
  /** The name of the key. For a log, this is its origin. */
  readonly name: string;
  /** The first four bytes of the hash of name and key, as 8 hexadecimal digits. */
  readonly id: string;
  readonly publicKey: Uint8Array;
}

/** A key that signs notes. */
export interface NoteSigner extends Pick<NoteKey, 'name' | 'id'> {
  /** Returns the 64 bytes of the Ed25519 signature. */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

/** The reason why a note is refused. */
export type NoteProblem = 'malformed' | 'unsigned' | 'signature';

/** A note with at least one valid signature of a given key. */
export interface OpenedNote {
  readonly text: string;
  readonly signers: readonly NoteKey[];
}

/** A name without spaces and plus signs. Unicode counts more characters as white space than `\s`. */
const NAME = /^[^\s\p{White_Space}\p{Cc}+]+$/u;

/** Creates a key that verifies notes. Throws a RangeError if the name contains a space or a plus sign. */
export async function noteKey(name: string, publicKey: Uint8Array): Promise<NoteKey> {
  if (!NAME.test(name)) throw new RangeError('The name of a key has neither spaces nor a plus.');
  const input = new TextEncoder().encode(`${name}\n${String.fromCharCode(ED25519)}`);
  const namedBytes = new Uint8Array(input.length + publicKey.length);
  namedBytes.set(input);
  namedBytes.set(publicKey, input.length);
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', namedBytes));
  return { name, id: toHex(digest.subarray(0, ID_BYTES)), publicKey };
}

/** Returns a key as the text for verifiers: `<name>+<id>+<base64>`. */
export function noteKeyText({ name, id, publicKey }: NoteKey): string {
  return `${name}+${id}+${toPaddedBase64(Uint8Array.of(ED25519, ...publicKey))}`;
}

/**
 * Reads the text of a key. Returns `undefined` if it is malformed, of another type, or has the id of another key. Never
 * rejects.
 */
export async function readNoteKey(text: string): Promise<NoteKey | undefined> {
  const [name = '', id, ...otherParts] = text.split('+');
  // A base64 text may have a plus.
  const bytes = fromPaddedBase64(otherParts.join('+'));
  if (bytes?.length !== 1 + KEY_BYTES || bytes[0] !== ED25519 || !NAME.test(name)) return undefined;
  const key = await noteKey(name, bytes.slice(1));
  return key.id === id ? key : undefined;
}

export async function signNote(text: string, signers: readonly NoteSigner[]): Promise<string> {
  const data = new TextEncoder().encode(text);
  const lines = await Promise.all(
    signers.map(async ({ name, id, sign }) => {
      const signature = await sign(data);
      return `— ${name} ${toPaddedBase64(Uint8Array.of(...bytesOf(id), ...signature))}\n`;
    }),
  );
  return `${text}\n${lines.join('')}`;
}

/**
 * Verifies a note. Returns the note if at least one of the keys has signed it and all signatures of these keys are
 * valid. Ignores signatures of other keys. Otherwise returns the problem.
 */
export async function openNote(note: string, keys: readonly NoteKey[]): Promise<OpenedNote | NoteProblem> {
  const parts = splitNote(note);
  if (parts === undefined) return 'malformed';
  const data = new TextEncoder().encode(parts.text);
  const signers = new Set<NoteKey>();
  for (const { name, id, signature } of parts.signatures) {
    for (const key of keys.filter((key) => key.name === name && key.id === id)) {
      if (!(await isSignedBy(key, data, signature))) return 'signature';
      signers.add(key);
    }
  }
  return signers.size === 0 ? 'unsigned' : { text: parts.text, signers: [...signers] };
}

interface NoteSignature extends Pick<NoteKey, 'name' | 'id'> {
  readonly signature: Uint8Array<ArrayBuffer>;
}

interface NoteParts {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A control character other than a line break, or half of a surrogate pair, which has no UTF-8. */
const FORBIDDEN = /(?!\n)[\p{Cc}\p{Surrogate}]/u;

function splitNote(note: string): NoteParts | undefined {
  if (note.length > MAX_CHARACTERS || FORBIDDEN.test(note) || !note.endsWith('\n')) return undefined;
  const end = note.lastIndexOf('\n\n');
  if (end < 0) return undefined;
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map(readSignature).filter((signature) => signature !== undefined);
  if (signatures.length !== lines.length || lines.length > MAX_SIGNATURES) return undefined;
  return { text: note.slice(0, end + 1), signatures };
}

const SIGNATURE = /^— ([^ ]+) ([^ ]+)$/;

function readSignature(line: string): NoteSignature | undefined {
  const [, name = '', base64 = ''] = SIGNATURE.exec(line) ?? [];
  const bytes = fromPaddedBase64(base64);
  if (!NAME.test(name) || bytes === undefined || bytes.length <= ID_BYTES) return undefined;
  return { name, id: toHex(bytes.subarray(0, ID_BYTES)), signature: bytes.slice(ID_BYTES) };
}

async function isSignedBy(
  { publicKey }: NoteKey,
  data: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKey) } as const;
  return verifyBytes('EdDSA', await importPublicKey('EdDSA', jwk), data, signature);
}

function bytesOf(hex: string): readonly number[] {
  return (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
}

/**
 * Creates an evidence log of any size, as a folder of its public files. It uses only the definitions of RFC 6962 and
 * C2SP.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tilePath } from 'agent-identity-service/log';

const WIDTH = 256;
const ORIGIN = 'id.example.com/api/logs/abcdefghijklmnopqrstuv';
const ED25519 = 1;

export function entryAt(index) {
  const number = String(index).padStart(22, '0');
  const timestamp = new Date(1_764_000_000_000 + index).toISOString();
  const data =
    index === 0 ? '' : `{"agent_id":"did:web:example.com:agents:agent-${index % 1_000}","version":${index}}`;
  const body =
    index === 0
      ? `"at":"${timestamp}","kind":"begin"`
      : `"event":{"data":${data},"id":"evt_${number}","timestamp":"${timestamp}","type":"key.updated"},"kind":"change"`;
  return `{"account_id":"acc_bench",${body},"salt":"${number}","v":1}`;
}

/** Writes the checkpoint and tiles of a log with `size` entries, and returns the text of its key. */
export function writeLargeLog(folder, size) {
  const leaves = Array.from({ length: size }, (_, index) => hash([0], entryAt(index)));
  for (let level = 0, hashes = leaves; hashes.length > 0; level += 1) {
    const above = [];
    for (let from = 0; from < hashes.length; from += WIDTH) {
      const part = hashes.slice(from, from + WIDTH);
      write(folder, tilePath({ level, index: from / WIDTH, width: part.length }), Buffer.concat(part));
      if (part.length === WIDTH) above.push(rootOf(part));
    }
    hashes = above;
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.concat([
    Buffer.of(ED25519),
    Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url'),
  ]);
  const id = createHash('sha256').update(`${ORIGIN}\n`).update(key).digest().subarray(0, 4);
  const text = `${ORIGIN}\n${size}\n${rootOf(leaves).toString('base64')}\n`;
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]).toString('base64');
  write(folder, 'checkpoint', `${text}\n— ${ORIGIN} ${signature}\n`);
  return `${ORIGIN}+${id.toString('hex')}+${key.toString('base64')}`;
}

function rootOf(hashes) {
  if (hashes.length === 1) return hashes[0];
  const left = 2 ** Math.floor(Math.log2(hashes.length - 1));
  return hash([1], rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left)));
}

function hash(prefix, ...parts) {
  const digest = createHash('sha256').update(Buffer.from(prefix));
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function write(folder, path, bytes) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}

import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { usageError } from '../output/error.ts';
import { printError, visible } from '../output/terminal.ts';
import { readSecretFile } from './text-file.ts';

export interface GivenPassword {
  readonly text: string;
  readonly origin: 'file' | 'environment' | 'generated' | 'typed';
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 6;

/**
 * Reads the password from the file, else from AGENT_IDENTITY_PASSWORD, else returns `undefined`. A password is never an
 * argument, because `ps` shows arguments.
 */
export async function readGivenPassword(file: string | undefined): Promise<GivenPassword | undefined> {
  if (file !== undefined) return { text: await readSecretFile(file), origin: 'file' };
  const text = process.env['AGENT_IDENTITY_PASSWORD'];
  return text === undefined ? undefined : { text, origin: 'environment' };
}

export async function chooseNewPassword(file: string | undefined): Promise<GivenPassword> {
  const password = await readGivenPassword(file);
  if (password !== undefined) return password;
  if (!process.stdin.isTTY) return generatePassword();
  const text = await typeHidden('New password (empty: generate one): ');
  if (text === '') return generatePassword();
  if (text !== (await typeHidden('The same again: ')))
    throw usageError('The passwords differ. Run the command again.');
  return { text, origin: 'typed' };
}

export async function askPassword(file: string | undefined, email: string): Promise<string> {
  const password = await readGivenPassword(file);
  if (password !== undefined) return password.text;
  if (process.stdin.isTTY) return typeHidden(`Password of ${email}: `);
  throw usageError(
    'Set AGENT_IDENTITY_PASSWORD or AGENT_IDENTITY_TOKEN, or AGENT_IDENTITY_API_KEY to a management key, or name a --password-file.',
  );
}

/** Generates a password of 24 base62 digits (142 bits), in groups that a person can copy. */
export function generatePassword(): GivenPassword {
  const digit = (): string => ALPHABET.charAt(randomInt(ALPHABET.length));
  const group = (): string => Array.from({ length: GROUP_LENGTH }, digit).join('');
  return { text: Array.from({ length: GROUPS }, group).join('-'), origin: 'generated' };
}

async function typeHidden(question: string): Promise<string> {
  process.stderr.write(visible(question));
  const output = new Writable({ write: (_chunk, _encoding, callback) => callback() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await lines.question('');
  } finally {
    lines.close();
    printError('');
  }
}

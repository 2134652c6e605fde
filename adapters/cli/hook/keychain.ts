/** Secrets in the keychain of the user: macOS `security`, and `secret-tool` elsewhere. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { refusal } from './refused.ts';

const run = promisify(execFile);
const LIMIT_MS = 5_000;

/** Reads the secret that a `keychain:<service>` names. Throws a refusal without it. */
export async function keychainSecret(key: string): Promise<string> {
  const service = key.slice('keychain:'.length);
  const [program, args] =
    process.platform === 'darwin'
      ? ['/usr/bin/security', ['find-generic-password', '-s', service, '-w']]
      : ['/usr/bin/secret-tool', ['lookup', 'service', service]];
  try {
    const { stdout } = await run(program as string, args as string[], { timeout: LIMIT_MS });
    if (stdout.trim() !== '') return stdout.trim();
  } catch {
    // The error repeats the output of the program, which may hold a part of the secret.
  }
  throw refusal(`The keychain has no secret for the service ${JSON.stringify(service)}.`);
}

/** Commands in both ways: over a storage, and over the service that runs on it. */
import { expect } from 'vitest';
import { closeAfterFile } from './closers.ts';
import { run } from './command.ts';
import { type Ended, GIVEN, openFolder, type Serving, startServe } from './process.ts';
import { ADMIN, openUsedFolder } from './used-folder.ts';

/** The two ways, for `describe.each`. */
export const WAYS = ['storage', 'url'] as const;

type Call = (args: readonly string[]) => Promise<Ended>;

/** A service that runs in its own folder. */
export interface BothWays extends Readonly<Record<(typeof WAYS)[number], Call>> {
  /** The folder of the database. */
  readonly folder: string;
  readonly serving: Serving;
  /** The environment of commands with `--url`. At first it has a token of the account. */
  readonly env: Record<string, string>;
  /** With `--storage`, as this account. */
  as(account: string, args: readonly string[]): Promise<Ended>;
}

/** Starts a service that ends with the file, with further settings in its environment. */
export async function openBothWays(settings: Readonly<Record<string, string>> = {}): Promise<BothWays> {
  const { folder, remove } = await openUsedFolder();
  closeAfterFile(remove);
  const elsewhere = openFolder();
  closeAfterFile(elsewhere.remove);
  const serving = await startServe({ cwd: folder, env: { ...GIVEN, ...settings } });
  closeAfterFile(() => serving.stop());
  const login = await fetch(`${serving.origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD }),
  });
  const { access_token } = (await login.json()) as { access_token: string };
  const env: Record<string, string> = { AGENT_IDENTITY_TOKEN: access_token };
  const as = (account: string, args: readonly string[]): Promise<Ended> =>
    run([...args, '--account', account], { cwd: folder });
  return {
    folder,
    serving,
    env,
    as,
    storage: (args) => as(ADMIN, args),
    url: (args) => run([...args, '--url', serving.origin], { cwd: elsewhere.folder, env }),
  };
}

/** Returns the record that a call prints with `--json` in one line. */
export async function recordOf(call: Call, args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await call([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout);
}

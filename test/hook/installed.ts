/** A home folder in which `hook install` has run. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type Home, type HostName, openHome, residentsOf } from './host.ts';

export async function installed(preset: string, host: HostName = 'claude-code'): Promise<Home> {
  const home = openHome(host);
  const { code, stderr } = await home.cli('hook', 'install', host, '--preset', preset, '--yes');
  if (code !== 0) throw new Error(stderr);
  return home;
}

/** Starts the resident process, as the start of a session does. */
export async function startResident(home: Home): Promise<number> {
  const { hooks } = JSON.parse(readFileSync(home.settings, 'utf8')) as { hooks: object };
  const [name] = Object.keys(hooks).filter((event) => /^sessionStart$/i.test(event));
  await home.send({ hook_event_name: name, session_id: 's1', cwd: home.project });
  await expect.poll(() => residentsOf(home.config).length).toBe(1);
  const socket = join(dirname(home.config), 'hook.sock');
  await expect.poll(() => readable(socket)).toBe(true);
  return residentsOf(home.config)[0] as number;
}

function readable(path: string): boolean {
  try {
    chmodSync(path, 0o600);
    return true;
  } catch {
    return false;
  }
}

/** Changes the configuration. */
export function configure(home: Home, change: object): void {
  const fields = JSON.parse(readFileSync(home.config, 'utf8')) as object;
  writeFileSync(home.config, JSON.stringify({ ...fields, ...change }));
}

export async function approve(home: Home, text: string): Promise<void> {
  const [id = ''] = /apr_\w+/.exec(text) ?? [];
  expect((await home.cli('approval', 'approve', id, '--storage', home.storage)).code).toBe(0);
}

export const WRITE = { file_path: 'b.txt', content: 'new' };
export const LIST = { command: 'ls' };

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The measured peers with their versions. better-auth does not pin the versions of its packages, so they are pinned
 * here.
 */
const VERSIONS = {
  '@better-auth/api-key': '1.7.5',
  '@better-auth/core': '1.7.5',
  '@better-auth/utils': '0.4.2',
  '@casl/ability': '7.0.1',
  '@cedar-policy/cedar-wasm': '4.13.0',
  '@microsoft/agent-governance-sdk': '4.0.0',
  'better-auth': '1.7.5',
  'better-call': '1.4.0',
  casbin: '5.51.1',
  cerbos: '0.51.0',
  express: '5.3.0',
};

/** The versions that the results mention. */
export const PEERS = Object.fromEntries(
  Object.entries(VERSIONS).filter(([name]) => !/^@better-auth\/(core|utils)$|^better-call$/.test(name)),
);

/** Installs the peers in a separate folder, unless it already has these versions. Returns the folder. */
export function installPeers() {
  const folder = fileURLToPath(new URL('../../.build/peers', import.meta.url));
  const file = join(folder, 'package.json');
  const text = `${JSON.stringify({ name: 'peers', private: true, dependencies: VERSIONS }, null, 2)}\n`;
  const isThere =
    existsSync(join(folder, 'node_modules')) && existsSync(file) && readFileSync(file, 'utf8') === text;
  if (isThere) return folder;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error'];
  // Only a folder that has all of them keeps the file by which it is known.
  writeFileSync(file, text);
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status === 0) return folder;
  writeFileSync(file, '{}\n');
  throw new Error('The peers could not be installed.');
}

export function importPeer(folder, name) {
  const require = createRequire(join(folder, 'package.json'));
  return import(pathToFileURL(require.resolve(name)).href);
}

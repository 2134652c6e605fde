/** A folder outside the project in which the package is installed as an application would have it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAMS = ['checklist.mjs', 'edge.mjs', 'smoke.mjs', 'workers.mjs'];
const WORKER = `import { smokeEdge } from './edge.mjs';
export default { fetch: async () => Response.json(await smokeEdge()) };
`;

/** The folder, with the built package, its dependencies and the programs; and how to remove it. */
export function openWorkplace() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-identity-runtimes-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    fill(folder);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

function fill(folder) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const installed = join(folder, 'node_modules', manifest.name);
  mkdirSync(installed, { recursive: true });
  for (const part of ['dist', 'package.json']) {
    cpSync(join(root, part), join(installed, part), { recursive: true });
  }
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
  for (const name of PROGRAMS) cpSync(join(root, 'test/runtimes', name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, 'worker.mjs'), WORKER);
  bundleWorker(folder);
}

/** As the tools for workers do it: one file with all that the worker imports. */
function bundleWorker(folder) {
  const rolldown = join(root, 'node_modules/rolldown/bin/cli.mjs');
  const args = [rolldown, 'worker.mjs', '--platform', 'browser', '--file', 'worker.bundle.js'];
  execFileSync(process.execPath, [...args, '--logLevel', 'silent'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

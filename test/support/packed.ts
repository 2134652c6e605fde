import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A project that has installed what npm would publish. */
export interface PackedProject {
  readonly folder: string;
  /** The files in the package. */
  readonly files: readonly string[];
  /** The size of the packed package in bytes. */
  readonly size: number;
}

/** Makes a separate project with the packed package and these other packages. It is removed when the test ends. */
export async function installPacked(packages: readonly string[]): Promise<PackedProject> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-identity-pack-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  const options = { cwd: root, shell: process.platform === 'win32' };
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], options);
  const [{ name, filename, files, size }] = JSON.parse(stdout) as [Packed];
  await run('tar', ['-xzf', filename], { cwd: folder });
  await mkdir(join(folder, 'node_modules'));
  await cp(join(folder, 'package'), join(folder, 'node_modules', name), { recursive: true });
  for (const dependency of packages) {
    const link = join(folder, 'node_modules', dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', dependency), link, 'junction');
  }
  return { folder, files: files.map(({ path }) => path), size };
}

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

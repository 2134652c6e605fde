/** Things that have to be given back: small disks, and the order in which all of it goes. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const JUNK = 'junk';

/** Gives back what was taken, the last first, and goes on when one of them fails. */
export async function closeAll(resources) {
  for (const close of resources.splice(0).reverse()) {
    await Promise.resolve(close()).catch((error) => console.error(`Left behind: ${error.message}`));
  }
}

/**
 * A file system of the given number of MiB that can be filled; `impossible` says why it cannot be had. Its folder is there
 * in any case.
 */
export function openSmallDisk(mib) {
  const around = mkdtempSync(join(tmpdir(), 'ais-disk-'));
  const image = join(around, 'image');
  const folder = join(around, 'disk');
  const impossible = mount(mib, image, folder);
  const removeNow = () => {
    if (impossible === undefined) run('umount', ['--lazy', folder]);
    rmSync(around, { recursive: true, force: true });
  };
  process.once('exit', removeNow);
  return {
    folder,
    impossible,
    giveTo(user) {
      chmodSync(around, 0o711);
      run('chown', [user, folder]);
    },
    /** Leaves no byte. */
    fill() {
      const file = openSync(join(folder, JUNK), 'a');
      try {
        for (let size = 1 << 20; size >= 512; ) {
          try {
            writeSync(file, Buffer.alloc(size));
          } catch (error) {
            if (error.code !== 'ENOSPC') throw error;
            size /= 2;
          }
        }
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(join(folder, JUNK), { force: true }),
    async remove() {
      process.off('exit', removeNow);
      removeNow();
    },
  };
}

/** Why there is no such file system, or `undefined`. */
function mount(mib, image, folder) {
  mkdirSync(folder);
  try {
    closeSync(openSync(image, 'w'));
    truncateSync(image, mib * 1_048_576);
    run('mkfs.ext4', ['-q', '-m', '0', image]);
    run('mount', ['-o', 'loop', image, folder]);
    return undefined;
  } catch (error) {
    return `no small disk (${error.message})`;
  }
}

/** Runs a program to its end; throws what it said on stderr when it fails. */
export function run(program, args) {
  try {
    execFileSync(program, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 });
  } catch (error) {
    throw new Error(`${program}: ${(error.stderr?.toString() || error.message).trim().split('\n', 1)[0]}`);
  }
}

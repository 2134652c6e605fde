import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { setTimeout } from 'node:timers/promises';

const require = createRequire(import.meta.url);

export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1_073_741_824),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    packages: Object.fromEntries(OURS.map((name) => [name, versionOf(name)])),
    loadBefore: Number(loadavg()[0]?.toFixed(2)),
  };
}

/** Waits, at most five minutes, until the load of the last minute is below a seventh of the cores. */
export async function waitForQuiet(tell) {
  for (let waited = 0; waited < 300 && (loadavg()[0] ?? 0) > cpus().length / 7; waited += 5) {
    tell(`waiting for a quiet machine: the load is ${loadavg()[0]?.toFixed(2)}`);
    await setTimeout(5_000);
  }
}

/** Returns the jiffies since the machine started: those that the hypervisor gave to others, and all. Linux only. */
export function readSteal() {
  try {
    const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].trim().split(/\s+/);
    const jiffies = fields.map(Number);
    return { stolen: jiffies[7] ?? 0, all: jiffies.slice(0, 8).reduce((sum, each) => sum + each, 0) };
  } catch {
    return { stolen: 0, all: 0 };
  }
}

const OURS = ['agent-identity-service', 'express', 'kysely', 'pg', 'libsql'];

function versionOf(name) {
  try {
    return require(`${name}/package.json`).version;
  } catch {
    return null;
  }
}

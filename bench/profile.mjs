/**
 * Where the time of a verify over HTTP goes: npm run bench:profile [-- listener | express | bare ...]
 *
 * A server of the part http runs under --cpu-prof with 64 connections; printed are the functions in which most of
 * its CPU time was spent, themselves and not what they call, grouped by the file they stand in.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { httpWork } from './lib/http-work.mjs';
import { describeMachine } from './lib/machine.mjs';
import { startServer } from './lib/server-process.mjs';

const SECONDS = 5;
const WARM_UP_SECONDS = 1;
const MAX_FILES = 20;
const MAX_FUNCTIONS = 4;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The source maps of bundles, once they are read. */
const maps = new Map();

const [kind = 'listener'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'ais-profile-'));
try {
  const { perRequest, requests } = await profile();
  const { cpu, node } = describeMachine();
  console.log(
    `${kind}, ${requests} requests, ${perRequest.toFixed(1)} us of CPU each; ${cpu}, Node ${node}\n`,
  );
  print(selfTimes(readProfile()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function profile() {
  const execArgv = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200'];
  const server = await startServer('servers/serve.mjs', [kind], { execArgv });
  const load = await startServer('servers/load.mjs', []);
  try {
    const task = {
      port: server.port,
      path: '/api/verify',
      headers: { 'x-api-key': server.key },
      connections: 64,
    };
    const { bodies } = httpWork();
    await load.ask({ ...task, bodies, seconds: WARM_UP_SECONDS });
    const before = await server.usage();
    await load.ask({ ...task, bodies, seconds: SECONDS });
    const after = await server.usage();
    const requests = after.requests - before.requests;
    return { requests, perRequest: (after.cpuUs - before.cpuUs) / requests };
  } finally {
    await load.stop();
    await server.stop();
  }
}

function readProfile() {
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'));
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/** Microseconds by file and function, without what the process spent waiting. */
function selfTimes({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, placeOf(node.callFrame)]));
  const files = new Map();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const { file, name } = byId.get(id);
    if (name === '(idle)' || name === '(program)') continue;
    const us = Math.max(0, timeDeltas[index] ?? 0);
    const functions = files.get(file) ?? new Map();
    files.set(file, functions);
    functions.set(name, (functions.get(name) ?? 0) + us);
    total += us;
  }
  return { files, total };
}

/** The function in its source: bundles are traced back by their maps. */
function placeOf({ functionName, url, lineNumber, columnNumber }) {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (!url.startsWith('file:')) return { file: url === '' ? 'V8' : url, name };
  const path = fileURLToPath(url);
  const isPackage = path.includes('/node_modules/');
  if (isPackage) return { file: path.replace(/^.*\/node_modules\//, ''), name };
  if (!path.startsWith(join(ROOT, 'dist'))) return { file: path.replace(ROOT, ''), name };
  if (!maps.has(path)) maps.set(path, new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8'))));
  const { originalSource } = maps.get(path).findEntry(lineNumber, columnNumber);
  const source = originalSource?.replace(/^.*?((?:src|adapters)\/)/, '$1');
  return { file: source ?? path.replace(ROOT, ''), name };
}

function print({ files, total }) {
  const sum = (functions) => [...functions.values()].reduce((all, us) => all + us, 0);
  const share = (us) => `${((100 * us) / total).toFixed(1)} %`.padStart(7);
  const sorted = [...files].toSorted(([, a], [, b]) => sum(b) - sum(a));
  const areas = new Map();
  for (const [file, functions] of sorted)
    areas.set(areaOf(file), (areas.get(areaOf(file)) ?? 0) + sum(functions));
  for (const [area, us] of [...areas].toSorted(([, a], [, b]) => b - a)) {
    if (us / total >= 0.01) console.log(`${share(us)}  ${area}`);
  }
  console.log('');
  for (const [file, functions] of sorted.slice(0, MAX_FILES)) {
    console.log(`${share(sum(functions))}  ${file}`);
    for (const [name, us] of [...functions].toSorted(([, a], [, b]) => b - a).slice(0, MAX_FUNCTIONS)) {
      if (us / total >= 0.01) console.log(`         ${share(us)}  ${name}`);
    }
  }
}

/** The room of the house, the package, or the part of Node. */
function areaOf(file) {
  if (file === 'V8') return 'V8 and system calls';
  if (file.startsWith('node:')) return file.includes('http') ? "Node's http" : 'the rest of Node';
  const [top, room = '', kind = ''] = file.split('/');
  if (top === 'adapters' && room === 'storage') return `${top}/${room}/${kind}`;
  return top === 'src' || top === 'adapters' ? `${top}/${room.replace(/\.ts$/, '')}` : top;
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Says whether `wrk` (Debian: `apt-get install wrk`) is on this machine. */
export function isWrkThere() {
  return spawnSync('wrk', ['--version']).error === undefined;
}

/**
 * Runs the load of `wrk`, a client that sleeps until an answer wakes it. It has 64 connections in one thread, and each
 * sends again after its answer. Returns the CPU nanoseconds of the server per request, requests per second, and p50 and
 * p99 in nanoseconds.
 */
export async function askByWrk({ port, usage }, { headers, bodies, connections, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'ais-wrk-'));
  try {
    const script = join(folder, 'ask.lua');
    writeFileSync(script, scriptOf({ headers, bodies }));
    const args = ['-t1', `-c${connections}`, `-d${Math.max(1, Math.ceil(seconds))}s`, '-s', script];
    const before = await usage();
    const child = spawn('wrk', [...args, `http://127.0.0.1:${port}/api/verify`]);
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await once(child, 'close');
    const { cpuUs } = await usage();
    const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(text);
    if (found === null) throw new Error(`wrk says:\n${text}`);
    const [requests, errors, us, p50, p99] = found.slice(1).map(Number);
    if (errors > 0) throw new Error(`wrk: ${errors} requests failed`);
    return {
      cpuNs: ((cpuUs - before.cpuUs) * 1e3) / requests,
      perSecond: (requests * 1e6) / us,
      p50: p50 * 1e3,
      p99: p99 * 1e3,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the script for `wrk`. It uses the JSON text of the bodies and headers as a Lua string, because simple texts
 * look the same in both.
 */
function scriptOf({ headers, bodies }) {
  const lines = Object.entries({ 'content-type': 'application/json', ...headers });
  return `local bodies = { ${bodies.map((body) => JSON.stringify(body)).join(', ')} }
local headers = {}
${lines.map(([name, value]) => `headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`).join('\n')}
local turn = 0
function request()
  turn = turn % #bodies + 1
  return wrk.format('POST', nil, headers, bodies[turn])
end
function done(summary, latency)
  local e = summary.errors
  local errors = e.connect + e.read + e.write + e.status + e.timeout
  print(string.format('RESULT %d %d %d %d %d', summary.requests, errors, summary.duration, latency:percentile(50), latency:percentile(99)))
end
`;
}

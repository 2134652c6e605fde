import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const POLICY = {
  apiVersion: 'api.cerbos.dev/v1',
  resourcePolicy: {
    version: 'default',
    resource: 'payment',
    rules: [
      {
        actions: ['payments.create', 'payments.refund'],
        effect: 'EFFECT_ALLOW',
        roles: ['agent'],
        condition: { match: { expr: 'R.attr.amount <= P.attr.limit' } },
      },
    ],
  },
};
/** Linux counts the CPU time of a process in hundredths of a second. */
const TICK_US = 10_000;

/**
 * Cerbos' policy decision point with the actions and the limit of `work`, in its own process. It is asked over
 * HTTP for what a verify asks, in its own words: the passport comes with the request.
 */
export async function startCerbos(folder, { bodies }) {
  const home = mkdtempSync(join(tmpdir(), 'ais-cerbos-'));
  mkdirSync(join(home, 'policies'));
  // YAML takes JSON.
  writeFileSync(join(home, 'policies/payment.yaml'), JSON.stringify(POLICY));
  const [port, grpcPort] = [await freePort(), await freePort()];
  const config = {
    server: { httpListenAddr: `127.0.0.1:${port}`, grpcListenAddr: `127.0.0.1:${grpcPort}` },
    storage: { driver: 'disk', disk: { directory: join(home, 'policies'), watchForChanges: false } },
    telemetry: { disabled: true },
  };
  writeFileSync(join(home, 'config.yaml'), JSON.stringify(config));
  const args = ['server', `--config=${join(home, 'config.yaml')}`, '--log-level=ERROR'];
  const child = spawn(binaryOf(folder), args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await untilAnswers(`http://127.0.0.1:${port}/_cerbos/health`);
  return {
    port,
    bodies: bodies.map(toCheck),
    cpuUs: () => cpuTicks(child.pid) * TICK_US,
    async stop() {
      child.kill();
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function binaryOf(folder) {
  const require = createRequire(join(folder, 'node_modules/cerbos/package.json'));
  const name = `@cerbos/cerbos-${process.platform}-${process.arch}`;
  return join(require.resolve(`${name}/package.json`), '..', name.split('/')[1]);
}

function toCheck(body) {
  const { agent_id, action, parameters } = JSON.parse(body);
  const resource = { kind: 'payment', id: '1', attr: { amount: parameters.amount } };
  return JSON.stringify({
    principal: { id: agent_id, roles: ['agent'], attr: { limit: 500 } },
    resources: [{ actions: [action], resource }],
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function untilAnswers(url) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Cerbos did not start.');
}

function cpuTicks(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

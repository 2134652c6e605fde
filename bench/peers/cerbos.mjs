import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsOf, freePort, untilAnswers } from '../lib/server-process.mjs';

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

/**
 * Starts the policy decision point of Cerbos in its own process, with the actions and the limit of `work`. It gets the
 * same questions as `verify`, in its own format over HTTP. The passport is sent with the request.
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
    cpuUs: () => cpuUsOf(child.pid),
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

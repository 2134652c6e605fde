/**
 * What a verify over HTTP costs, from a bare server to the listener one step after another: npm run bench:steps
 *
 * Every step is a server of its own that does all of the one before; their verdicts are compared, then rounds alternate
 * between them, and the first is thrown away. Printed is the CPU time of the server per request, all threads, and its ratio to the bare server.
 */
import { httpWork } from './lib/http-work.mjs';
import { describeMachine } from './lib/machine.mjs';
import { startServer } from './lib/server-process.mjs';
import { median, ratios } from './lib/stats.mjs';
import { column, tableText } from './lib/table.mjs';

const ROUNDS = 15;
const SECONDS = 0.5;
const STEPS = {
  bare: 'node:http, JSON.parse, one of two constants',
  strict: 'the body read strictly',
  headers: 'the seven headers of the contract, not two',
  stringify: 'a record of the question, by JSON.stringify',
  unkept: 'service.verify: schema, rules, reasons, ids, counts',
  verify: 'its records and counts kept by the memory storage',
  'verify-as': 'service.verifyAs: the API key',
  listener: 'nodeListener',
};

const { bodies, expected } = httpWork();
const servers = [];
const load = await startServer('servers/load.mjs', []);
try {
  for (const [step, name] of Object.entries(STEPS)) {
    const child = await startServer('servers/steps.mjs', [step]);
    servers.push({ name, cpu: [], child });
    await assertVerdicts(name, child);
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    process.stderr.write(`\rround ${round} of ${ROUNDS} `);
    for (const { child, cpu } of servers) {
      const cpuNs = await measure(child);
      if (round > 0) cpu.push(cpuNs);
    }
  }
  process.stderr.write('\n');
} finally {
  for (const { child } of servers) await child.stop();
  await load.stop();
}
const { cpu, node } = describeMachine();
console.log(
  tableText({
    title: `POST /verify, 64 connections; ${cpu}, Node ${node}`,
    columns: [column('cpu', 'CPU per request', 'ns'), column('ratio', 'x the bare server', 'x')],
    rows: servers.map((server) => ({
      name: server.name,
      cpu: median(server.cpu),
      ratio: median(ratios(server.cpu, servers[0].cpu)),
    })),
  }),
);

/** Throws unless the server gives the verdict that is expected of every body. */
async function assertVerdicts(name, { port, key }) {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  for (const [index, body] of bodies.entries()) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/verify`, { method: 'POST', headers, body });
    const { verdict } = await answer.json();
    if (verdict !== expected[index]) throw new Error(`${name} says ${verdict}, not ${expected[index]}.`);
  }
}

/** Nanoseconds per request. */
async function measure(child) {
  const before = await child.usage();
  const { errors } = await load.ask({
    port: child.port,
    path: '/api/verify',
    headers: { 'x-api-key': child.key },
    bodies,
    connections: 64,
    seconds: SECONDS,
  });
  if (errors > 0) throw new Error(`${errors} requests failed.`);
  const after = await child.usage();
  return ((after.cpuUs - before.cpuUs) * 1e3) / (after.requests - before.requests);
}

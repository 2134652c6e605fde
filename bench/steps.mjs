/**
 * What a verify over HTTP costs, from a bare server to the listener one step after another: npm run bench:steps
 *
 * Every step is a server of its own that does all of the one before; their verdicts are compared, then rounds
 * alternate between them, and the first is thrown away. Printed is the CPU time of the server per request, all
 * threads, and its ratio to the bare server.
 */
import { askUnderLoad, assertVerdicts } from './lib/http-asking.mjs';
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
    const task = { headers: { 'x-api-key': child.key }, bodies, connections: 64, seconds: SECONDS };
    servers.push({ name, cpu: [], child, task });
    await assertVerdicts(name, { port: child.port, ...task, expected });
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    process.stderr.write(`\rround ${round} of ${ROUNDS} `);
    for (const { name, child, cpu, task } of servers) {
      const { cpuNs } = await askUnderLoad(name, child, load, task);
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

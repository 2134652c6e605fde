/**
 * Measures the cost of a guard. Compares `guard.judge` with a `verify` in process, and `agent-identity mcp-guard` with a tool
 * call over stdio.
 */
import { createToolGuard } from 'agent-identity-service/guard';
import { finish, progress, ratioOf, readTask, withRatios } from '../lib/part.mjs';
import { assertEqualAnswers, measure, promising } from '../lib/rounds.mjs';
import { startServer } from '../lib/server-process.mjs';
import { openService } from '../lib/service.mjs';
import { median, quantile } from '../lib/stats.mjs';
import { column, timeColumns } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';
import { startTools } from '../lib/tool-server.mjs';
import { httpWork } from '../lib/work.mjs';

const { isQuick, rounds } = readTask();
const PAYMENTS = isQuick ? 500 : 5_000;
const CALLS = isQuick ? 5 : 400;
const STARTS = isQuick ? 1 : 3;
const VERIFY = 'service.verify';
const GUARD = 'guard.judge';

const { passports, bodies } = httpWork();
const { agent_id, action } = JSON.parse(bodies[0]);

const evaluated = await evaluating();
const proxied = await proxying();
const middle = (calls) => quantile(calls, 0.5);
const slowest = (calls) => quantile(calls, 0.99);

finish({
  tables: [
    {
      title: 'One call of a tool, in process',
      note: 'The same payments, as intents and as calls with arguments; the verdicts are recorded in memory.',
      columns: timeColumns('to service.verify'),
      rows: withRatios(evaluated, VERIFY),
    },
    {
      title: 'One call of a tool of an MCP server, over stdio',
      note: 'The server answers at once, the service over loopback.',
      columns: [
        column('p50', 'p50 of calls', 'ns'),
        column('p99', 'p99 of calls', 'ns'),
        column('start', 'p50 of starts', 'ns'),
      ],
      rows: [row('the server by itself', 'bare'), row('behind mcp-guard', 'guarded')],
    },
  ],
  targets: [
    target('guard.judge / service.verify', ratioOf(evaluated, GUARD, VERIFY), { atMost: 2 }),
    target('time that mcp-guard adds to a tool call, p50', more('calls', middle), {
      atMost: 0.3,
      unit: 'ms',
    }),
    target('mcp-guard, more for a start', more('starts', middle), { atMost: 300, unit: 'ms' }),
  ],
});

/** Measures the verifier directly and through a guard. */
async function evaluating() {
  const { service, settle } = await openService(passports);
  const guard = createToolGuard({
    verifier: service,
    agentId: agent_id,
    tools: { pay: { action, amount: '/amount' } },
  });
  const amounts = Array.from({ length: PAYMENTS }, (_, index) => ((index * 37) % 100_000) / 100);
  const expected = amounts.map((amount) => (amount <= 500 ? 'ALLOW' : 'DENY'));
  const inputs = () => amounts.map((amount) => ({ amount }));
  const around = { settle, warm: () => service.verify({ agent_id, action: 'warm', dry_run: true }) };
  const contestants = [
    promising(VERIFY, (parameters) => service.verify({ agent_id, action, parameters }), around),
    promising(GUARD, async (args) => (await guard.judge({ name: 'pay', args })).record, around),
  ];
  progress('every answer is compared');
  await assertEqualAnswers(contestants, { inputs, expected });
  const report = (round, of) => progress(`guard: round ${round} of ${of}`);
  const figures = await measure(contestants, { inputs, rounds, report });
  await service.close();
  return figures;
}

/** Measures rounds of tool calls, directly and behind the guard. */
async function proxying() {
  const service = await startServer('servers/serve.mjs', ['listener']);
  const guard = { port: service.port, key: service.key, agent_id, action };
  const found = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`mcp-guard: round ${round} of ${rounds}`);
    found.push({ bare: await callsOf(undefined), guarded: await callsOf(guard) });
  }
  await service.stop();
  return found;
}

async function callsOf(guard) {
  const starts = [];
  const calls = [];
  for (let start = 0; start < STARTS; start += 1) {
    const tools = await startTools(guard);
    starts.push(tools.startMs);
    for (let call = 0; start === 0 && call < CALLS; call += 1) calls.push(await tools.callMs());
    await tools.stop();
  }
  return { starts, calls };
}

function row(name, key) {
  const of = (summary, what) => 1e6 * median(proxied.map((round) => summary(round[key][what])));
  return { name, p50: of(middle, 'calls'), p99: of(slowest, 'calls'), start: of(middle, 'starts') };
}

/** Returns the additional milliseconds behind the guard, within each round. */
function more(what, summary) {
  return median(proxied.map(({ bare, guarded }) => summary(guarded[what]) - summary(bare[what])));
}

/** The page SIZING.md: every figure of it comes from the results of the part `sizing`. */
import { nodeNames } from './results.mjs';
import { figuresOf, planOf, USED } from './sizing.mjs';
import { cellText, markdownTable } from './table.mjs';

/** The four loads whose plans the page shows. */
export const LOADS = [
  { agents: 1e4, active: 1e4, verdicts: 1e3, spends: 0.01, changes: 1, recordsPerBlock: 200 },
  { agents: 1e6, active: 1e5, verdicts: 1e5, spends: 0, changes: 50, recordsPerBlock: 200 },
  { agents: 1e6, active: 1e5, verdicts: 1e5, spends: 0.01, changes: 50, recordsPerBlock: 200 },
  { agents: 1e6, active: 1e6, verdicts: 1e6, spends: 0.01, changes: 500, recordsPerBlock: 2_000 },
].map((load) => ({ ...load, retentionDays: 90, storage: 'postgres' }));

/** The text of SIZING.md. */
export function sizingPage(results) {
  const sizing = sizingOf(results);
  if (sizing === undefined) return `${HEAD}\n\nNothing has been measured yet.\n`;
  const { date, command, machine, doubts, tables } = sizing;
  const { cpu, cores, memoryGiB, node } = machine;
  const figures = figuresOf(sizing);
  return [
    HEAD,
    `Measured ${date.slice(0, 10)} by \`${command}\` on ${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}.`,
    ...doubts.map((doubt) => `**Doubtful**: ${doubt}.`),
    ...tables.flatMap((table) => [`## ${table.title}`, tableOf(table), ...(table.note ? [table.note] : [])]),
    '## Four plans',
    PLANS,
    markdownTable([PLAN_HEAD, ...LOADS.map((load) => planRow(load, planOf(load, figures)))]),
    '### Their arithmetic',
    ...LOADS.map((load, at) => `${at + 1}. ${arithmetic(load, planOf(load, figures), figures)}`),
    '',
  ].join('\n\n');
}

/** The results of the part on the lowest version of Node that has any. */
export function sizingOf(results) {
  const name = nodeNames(results).find((each) => results[each].sizing !== undefined);
  return name === undefined ? undefined : results[name].sizing;
}

/** The plan as lines of text. */
export function planText(load, plan) {
  const demands = plan.demands.map(
    ({ line, per_second, share, cores }) =>
      `  ${line.padEnd(8)} ${cellText(per_second, 'per s')} a second: ${percent(share)} of what it takes, ${cores.toFixed(2)} cores`,
  );
  return [
    `nodes          ${plan.nodes} over HTTP with a core each, or ${plan.in_process_cores} cores in process`,
    `memory         ${cellText(plan.node_bytes, 'MiB')} for passports in each node`,
    `connections    ${plan.connections}`,
    `store          ${plan.store_cores.toFixed(1)} cores, ${sizeText(plan.store_bytes)} for ${plan.retention_days} days (${load.storage})`,
    ...demands,
    `fails first    ${plan.fails_first}${plan.fails_first === 'nothing' ? '' : `: the store would be asked for ${percent(plan.store_share)} of what it takes`}`,
  ].join('\n');
}

function planRow(load, plan) {
  return [
    `${cellText(load.agents, 'count')} (${cellText(load.active, 'count')})`,
    cellText(load.verdicts, 'count'),
    percent(load.spends),
    `${plan.nodes} (${plan.in_process_cores})`,
    ...plan.demands.slice(0, 2).map(({ per_second }) => cellText(per_second, 'per s')),
    plan.store_cores.toFixed(1),
    sizeText(plan.store_bytes),
    plan.fails_first,
  ];
}

function arithmetic(load, plan, { node, stores }) {
  const store = stores[load.storage];
  const [reads, spends, changes, blocks] = plan.demands;
  const us = (ns) => `${(ns / 1e3).toFixed(1)} µs`;
  return [
    `${cellText(load.verdicts, 'count')} verdicts/s × ${us(node.httpNs)} / ${USED} = ${plan.nodes} cores over HTTP;`,
    `× ${us(node.inProcessNs)} / ${USED} = ${plan.in_process_cores} in process.`,
    `Reads: at most ${plan.nodes} nodes × ${cellText(load.active, 'count')} agents × ${node.readsPerAgent.toFixed(2)} reads/s, and no more than the verdicts: ${cellText(reads.per_second, 'per s')}/s × ${us(store.reads.cpuNs)}.`,
    `Spends: ${cellText(spends.per_second, 'per s')}/s × ${us(store.spends.cpuNs)}; changes: ${cellText(changes.per_second, 'per s')}/s × ${us(store.changes.cpuNs)};`,
    `blocks: ${cellText(blocks.per_second, 'per s')}/s. All of it / ${USED} = ${plan.store_cores.toFixed(1)} cores of the store.`,
  ].join(' ');
}

function tableOf({ columns, rows }) {
  const lines = rows.map((row) => [row.name, ...columns.map(({ key, unit }) => cellText(row[key], unit))]);
  return markdownTable([['', ...columns.map(({ label }) => label)], ...lines]);
}

function percent(share) {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function sizeText(bytes) {
  return bytes < 1e12 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e12).toFixed(1)} TB`;
}

const PLAN_HEAD = [
  'Agents (active)',
  'Verdicts/s',
  'Spends',
  'Cores over HTTP (in process)',
  'Reads/s',
  'Spends/s',
  'Cores of the store',
  'Stored in 90 days',
  'Fails first',
];

const HEAD = `# Sizing

What to buy for how many agents and verdicts. The part \`sizing\` of the benchmark measures one machine and writes this page: no figure on it is typed. A plan uses ${USED * 100} % of what was measured.

    npm run bench -- sizing --save      measures, and writes this page
    node bench/sizing.mjs --agents 1e6 --active 1e5 --verdicts 1e5 --spends 0.01 --changes 50 --records-per-block 200

The second prints the plan of your load: nodes, connections, cores and bytes of the store, days of retention, and what fails first. Measure on a machine like those that you will use: the figures below come from a small shared machine. SQLite has no server: what it takes is CPU of the node.`;

const PLANS = `On PostgreSQL with one server. A node is one process and takes one core; in process, the host's own processes take the cores. A node reads a passport in use again before it is 0.8 s old, so that more nodes read more. A balancer that sends an agent to the same node avoids that. A store takes reads, spends, changes and blocks at the same time, so their shares are added up. One budget takes no more spends than the line of one budget says. Above what one store takes, run several deployments.`;

/** Generates the page SIZING.md. All its figures come from the results of the part `sizing`. */
import { nodeNames } from './results.mjs';
import { figuresOf, planOf, USED } from './sizing.mjs';
import { cellText, markdownTable } from './table.mjs';

/** The four loads for which the page shows plans. */
export const LOADS = [
  { agents: 1e4, active: 1e4, verdicts: 1e3, spends: 0.01, changes: 1, recordsPerBlock: 200 },
  { agents: 1e6, active: 1e5, verdicts: 1e5, spends: 0, changes: 50, recordsPerBlock: 200 },
  { agents: 1e6, active: 1e5, verdicts: 1e5, spends: 0.01, changes: 50, recordsPerBlock: 200 },
  { agents: 1e6, active: 1e6, verdicts: 1e6, spends: 0.01, changes: 500, recordsPerBlock: 2_000 },
].map((load) => ({ ...load, retentionDays: 90, storage: 'postgres' }));

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

/** Returns the results of the part for the lowest version of Node that has results. */
export function sizingOf(results) {
  const name = nodeNames(results).find((each) => results[each].sizing !== undefined);
  return name === undefined ? undefined : results[name].sizing;
}

export function planText(load, plan) {
  const demands = plan.demands.map(
    ({ line, per_second, share, cores }) =>
      `  ${line.padEnd(8)} ${cellText(per_second, 'per s')} a second: ${percent(share)} of what it takes, ${cores.toFixed(2)} cores`,
  );
  return [
    `nodes          ${plan.nodes} over HTTP with a core each, or ${plan.in_process_cores} cores in process`,
    `memory         ${cellText(plan.node_bytes, 'MiB')} for passports in each node`,
    `connections    ${plan.connections}`,
    `storage        ${plan.store_cores.toFixed(1)} cores, ${sizeText(plan.store_bytes)} for ${plan.retention_days} days (${load.storage})`,
    ...demands,
    `fails first    ${plan.fails_first}${plan.fails_first === 'nothing' ? '' : `: the storage would be asked for ${percent(plan.store_share)} of what it takes`}`,
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

function arithmetic(load, plan, { node }) {
  const [reads, spends, changes, blocks] = plan.demands.map(({ per_second }) =>
    cellText(per_second, 'per s'),
  );
  const verdicts = cellText(load.verdicts, 'count');
  const us = (ns) => `${(ns / 1e3).toFixed(1)} µs`;
  return [
    `Over HTTP, the nodes need ${verdicts} verdicts per second × ${us(node.httpNs)} / ${USED} = ${plan.nodes} cores.`,
    `In process, they need ${verdicts} × ${us(node.inProcessNs)} / ${USED} = ${plan.in_process_cores} cores.`,
    `The storage does these operations per second: reads of passports ${reads}, spends ${spends}, changes of passports ${changes}, writes of blocks ${blocks} (each with ${load.recordsPerBlock.toLocaleString('en')} verdict records).`,
    `Together they need ${plan.store_cores.toFixed(1)} cores of the storage.`,
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
  'Cores of the storage',
  'Stored in 90 days',
  'Fails first',
];

const HEAD = `# Sizing

You need this page when you plan how many machines your agents need. The benchmark generates it from measurements on one machine. A node is one process of the service, and a storage is a database with our adapter. A plan uses ${USED * 100} % of the measured capacity of nodes and storage; the rest is a reserve.

    npm run bench -- sizing --save      measures, and writes this page
    node bench/sizing.mjs --agents 1e6 --active 1e5 --verdicts 1e5 --spends 0.01 --changes 50 --records-per-block 200

The second command prints a plan: nodes, connections, cores and bytes of the storage, and the operation that overloads the storage first. Here, 1,000,000 agents exist and 100,000 of them act. Per second, they get 100,000 verdicts, of which 1 % take an amount from a budget, and you make 50 changes. Measure on machines like your own, because the figures below come from a small shared machine.

A floor is similar work without our code, such as a read by a plain database driver. The storage combines simultaneous reads into one query, so it can do more reads per second than this floor. SQLite runs inside the node, so it needs no CPU of a server.

A block is a database record with many verdict records of one account; a [full block](../adapters/storage/README.md#sizes) has as many as possible. The rows of blocks show how many blocks the storage writes per second, and the bytes of one verdict record. _In turn_ means that each verdict is for the next agent. The first passport row is for 100,000 passports in the memory of a node.`;

const PLANS = `These plans use one PostgreSQL server. Each node needs one core, so the arithmetic rounds up to whole cores.

_Active_ agents ask for verdicts all the time. _Spends_ is the share of verdicts that take an amount from a budget. _Fails first_ names the operation with the largest share if all operations together exceed 60 % of the capacity of the storage. Then one storage is too small. The last plan assumes larger blocks, because busier accounts fill larger blocks.

A node reads each passport in use about once per second, so more nodes cause more reads. To avoid this, let the load balancer send each agent to the same node. Or run several services, each with its own storage and its own agents.

In a container with one or two cores, Node's option \`--single-threaded-gc\` saves no CPU.`;

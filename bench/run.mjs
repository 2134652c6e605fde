/** Runs the benchmark: npm run bench [-- --help]. Each part runs in its own process, one after the other. */
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readArgs } from './lib/args.mjs';
import { chartOf } from './lib/chart.mjs';
import { describeMachine, readSteal, waitForQuiet } from './lib/machine.mjs';
import { installPeers, PEERS } from './lib/peers.mjs';
import { boundText, endText, mergeResults, valueText, withTargets } from './lib/results.mjs';
import { sizingPage } from './lib/sizing-page.mjs';
import { tableText } from './lib/table.mjs';

const README = fileURLToPath(new URL('README.md', import.meta.url));
/** The folder in the repository, which only a run with `--save` writes. `OWN` is the folder for all other runs. */
const PUBLISHED = fileURLToPath(new URL('.', import.meta.url));
const OWN = fileURLToPath(new URL('../.build/bench/', import.meta.url));

/**
 * Options of Node. Without `--no-flush-bytecode`, the garbage collections between turns would make V8 discard compiled
 * code.
 */
const NODE_FLAGS = ['--expose-gc', '--no-flush-bytecode', '--max-old-space-size=6000'];
/** Options of Node for Cedar. Without them, Node 20 crashes in a loop with Cedar. */
const CEDAR_FLAGS = ['--no-turbo-inline-js-wasm-calls'];

const { parts, withPeers, json, quick, full, save: isSaved, draw } = readArgs(process.argv.slice(2));
const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(
  ' ',
);
if (draw) {
  write(PUBLISHED, {});
  process.exit();
}
if (withPeers) tell('peers: installed when they are not there');
const peers = withPeers ? installPeers() : undefined;
const say = json ? console.error : console.log;

if (isSaved && !quick) await waitForQuiet(tell);

const found = {};
// Now: later its load would be that of the parts before.
const machine = { ...describeMachine(), ...(withPeers && { peers: PEERS }) };
for (const [index, part] of parts.entries()) {
  const steal = readSteal();
  const startedAt = new Date().toISOString();
  const { tables, targets } = await runPart(part, `${index + 1}/${parts.length} ${part}`);
  const doubts = doubtsOf(machine, steal);
  found[part] = { date: startedAt, command, machine, doubts, tables: tables.map(shown), targets };
  if (!quick) say(`${textOf(part, found[part])}\n`);
}
clear();

if (quick) say(`Every answer was as expected: ${parts.join(', ')}. Figures of so few calls say nothing.`);
else save(isSaved ? PUBLISHED : OWN);
if (json) console.log(JSON.stringify(found));

/**
 * Returns the tables and targets of a part. If a part gives wrong answers, the whole run ends, because its figures mean
 * nothing.
 */
async function runPart(part, label) {
  const path = fileURLToPath(new URL(`parts/${part}.mjs`, import.meta.url));
  const task = { isQuick: quick, isFull: full, ...(peers !== undefined && { peers }) };
  const env = { ...process.env, BENCH_TASK: JSON.stringify(task) };
  const child = fork(path, [], { env, execArgv: [...NODE_FLAGS, ...(part === 'cedar' ? CEDAR_FLAGS : [])] });
  let result;
  child.on('message', (message) => {
    if (message.progress !== undefined) tell(`${label}: ${message.progress}`);
    else result = message.found;
  });
  const code = await new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  clear();
  if (code === 0 && result !== undefined) return result;
  console.error(`The part ${part} failed (${code}).`);
  process.exit(1);
}

function textOf(part, { date, machine, doubts, tables, targets }) {
  const { cpu, cores, memoryGiB, system, node, packages, loadBefore } = machine;
  const versions = Object.entries({ ...packages, ...machine.peers }).filter(
    ([, version]) => version !== null,
  );
  return [
    `== ${part} == ${command}, ${date}`,
    `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, load before ${loadBefore}`,
    versions.map(([name, version]) => `${name} ${version}`).join(', '),
    ...doubts.map((doubt) => `DOUBTFUL: ${doubt}`),
    ...tables.map((table) => `\n${tableText(table)}`),
    ...(targets.length === 0 ? [] : ['', ...targets.map(targetText)]),
  ].join('\n');
}

function targetText(target) {
  return `${endText(target).padEnd(6)}  ${target.name}: ${valueText(target)}, ${boundText(target)}`;
}

/**
 * Returns why the figures may be unreliable. Other programs used the machine before, or the hypervisor gave its time to
 * others.
 */
function doubtsOf({ loadBefore, cores }, before) {
  const after = readSteal();
  const share = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  const doubts = [];
  if (loadBefore > cores / 2) doubts.push(`the load was ${loadBefore} on ${cores} cores before it began`);
  if (share > 0.01) doubts.push(`${(share * 100).toFixed(1)} % of the time went to other guests`);
  return doubts;
}

function save(folder) {
  write(folder, found);
  const doubtful = Object.values(found).some(({ doubts }) => doubts.length > 0);
  say(`Written to results.json, chart.svg, SIZING.md and the targets of README.md in ${folder}`);
  if (doubtful) say('What is DOUBTFUL is not in the chart: measure it again on a quiet machine.');
  if (folder === OWN) say('To publish figures, add --save: they go into the files of the repository.');
}

/**
 * Writes the results. A part that did not run keeps its results and their date. All pages are generated from the stored
 * results.
 */
function write(folder, ran) {
  mkdirSync(folder, { recursive: true });
  const file = `${folder}results.json`;
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const text = `${JSON.stringify(mergeResults(kept, ran, process.version), rounded, 1)}\n`;
  const results = JSON.parse(text);
  writeFileSync(file, text);
  writeFileSync(`${folder}chart.svg`, chartOf(results));
  writeFileSync(`${folder}README.md`, withTargets(readFileSync(README, 'utf8'), results));
  writeFileSync(`${folder}SIZING.md`, sizingPage(results));
}

/** Returns a table that contains only the figures of its columns. */
function shown({ rows, ...table }) {
  const keys = ['name', ...table.columns.map(({ key }) => key)];
  return {
    ...table,
    rows: rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key] ?? null]))),
  };
}

/** Rounds a number to four digits, which is more than the precision of any figure. */
function rounded(_key, value) {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

function tell(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  else if (!/round [1-9]/.test(text)) process.stderr.write(`${text}\n`);
}

function clear() {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

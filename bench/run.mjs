/** The benchmark: npm run bench [-- --help]. Each part runs in its own process, one after the other. */
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
/** The folder of the repository, which only a run with `--save` writes, and the folder of all other runs. */
const PUBLISHED = fileURLToPath(new URL('.', import.meta.url));
const OWN = fileURLToPath(new URL('../.build/bench/', import.meta.url));

/** The collections between turns would make V8 forget the code of the other parts. */
const NODE_FLAGS = ['--expose-gc', '--no-flush-bytecode', '--max-old-space-size=6000'];
/** Node 20 ends in the middle of a loop over it without this. */
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

/** The tables and targets of a part, or an end of everything: figures of wrong answers are worth nothing. */
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

/** Why the figures may be worth little: others used the machine before, or the hypervisor took it away meanwhile. */
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
 * Writes the results. A part that did not run keeps its results and their date. All pages are made from the stored
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

/** A table with the figures of its columns and nothing else. */
function shown({ rows, ...table }) {
  const keys = ['name', ...table.columns.map(({ key }) => key)];
  return {
    ...table,
    rows: rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key] ?? null]))),
  };
}

/** Four digits are more than any of the figures has. */
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

/** Runs the smoke programs over the built package on other runtimes: `node test/runtimes/run.mjs --help`. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { runCommand } from '../support/command.mjs';
import { EVERY, planOf } from './runtimes.mjs';
import { openWorkplace } from './workplace.mjs';

const USAGE = `Runs the built package on other runtimes, taken from npm by npx.

Usage: node test/runtimes/run.mjs [options]

  --only <names>       some of ${EVERY.join(',')}; also node@<version> (default: all)
  --sqlite             the records live in a SQLite file instead of in memory (not for workers)
  --timeout <seconds>  for each runtime, its download included (default: 180)
  --help               this text

On Node, Bun and Deno the whole core runs: passport, ALLOW, DENY with the reason, API key, session. On workers
./verdict and ./client run. Build first: npm run build. It exits with 0 when everything has passed, with 1 when
something has not (a runtime that could not be fetched included), with 2 when it was called wrongly.`;

const OPTIONS = {
  only: { type: 'string' },
  sqlite: { type: 'boolean', default: false },
  timeout: { type: 'string', default: '180' },
  help: { type: 'boolean', default: false },
};

/** From SIGTERM to SIGKILL. */
const LAST_MS = 5_000;

process.exitCode = await runCommand({ usage: USAGE, readOptions, run: testAll });

async function testAll(given) {
  const { folder, remove } = openWorkplace();
  process.once('exit', remove);
  const results = [];
  for (const { name, plan } of given.plans) {
    console.log(`${name}: npx --yes -p ${plan.source} -- ${plan.command.join(' ')}`);
    const result = { name, ...(await evaluate(plan, folder, given.timeoutMs)) };
    console.log(`${name}: ${result.problem ?? 'passed'}`);
    results.push(result);
  }
  console.log(`\n${table(results)}`);
  return results.every(({ problem }) => problem === undefined) ? 0 : 1;
}

/** What the command line asks for; undefined when it asks for help. */
function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return undefined;
  const names = values.only?.split(',') ?? EVERY.filter((name) => !values.sqlite || name !== 'workers');
  const plans = names.map((name) => ({ name, plan: planOf(name, values) }));
  const unknown = plans.find(({ plan }) => plan === undefined);
  if (unknown !== undefined) throw new Error(`--only: "${unknown.name}" does not run here.`);
  const timeoutMs = Number(values.timeout) * 1_000;
  if (!(timeoutMs > 0)) throw new Error('--timeout: it must be a number of seconds.');
  return { plans, timeoutMs };
}

/** Runs one plan; `problem` says why it did not pass. */
async function evaluate({ source, expected, command }, folder, timeoutMs) {
  const started = performance.now();
  const { code, stdout, stderr } = await run(['--yes', '-p', source, '--', ...command], folder, timeoutMs);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const { runtime = '-', passed = [] } = read(stdout);
  const isExpected = runtime === expected || runtime.startsWith(`${expected}.`);
  const checks = passed.length;
  if (code === 0 && isExpected && checks > 0) return { runtime, checks, seconds };
  if (runtime !== '-' && !isExpected) {
    return { runtime, checks, seconds, problem: `${runtime} ran instead of ${expected}` };
  }
  return { runtime, checks, seconds, problem: `exit code ${code}\n${stdout}${stderr}`.trimEnd() };
}

async function run(args, cwd, timeoutMs) {
  // A group of its own, so that what npx has started ends with it.
  const grouped = process.platform !== 'win32';
  const child = spawn('npx', args, { cwd, detached: grouped, shell: !grouped });
  // SIGTERM, so that npx gives its lock back: the next one would wait for it.
  const end = (signal = 'SIGTERM') => (grouped ? process.kill(-child.pid, signal) : child.kill(signal));
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      written[name] += text;
    });
  }
  child.stdin.end();
  const onInterrupt = () => {
    end();
    process.exit(130);
  };
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  const timers = [
    setTimeout(() => {
      written.stderr += `It took longer than ${timeoutMs / 1_000} s.\n`;
      end();
    }, timeoutMs),
    setTimeout(() => end('SIGKILL'), timeoutMs + LAST_MS),
  ];
  try {
    const [code, signal] = await once(child, 'close');
    return { code: code ?? signal, ...written };
  } catch (error) {
    return { code: error.code, stdout: '', stderr: 'npx could not be started.' };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt);
  }
}

/** The last line, when it is what a smoke program prints. */
function read(stdout) {
  try {
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  } catch {
    return {};
  }
}

function table(results) {
  const rows = results.map(({ name, runtime, checks, seconds, problem }) => [
    name,
    runtime,
    `${checks}`,
    `${seconds} s`,
    problem === undefined ? 'passed' : 'FAILED',
  ]);
  const all = [['asked for', 'ran', 'checks', 'time', 'result'], ...rows];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Runs every test at full size, or the part that checks a commit: `npm run test:all -- --help`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../support/command.mjs';
import { PARTS, PROGRAMS } from './programs.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const USAGE = `Runs every test at full size, and the programs that test whole processes.

Usage: npm run test:all -- [options]

  --part <k>       only part k of ${PARTS.length} (default: all parts)
  --of <commit>    what .ci/run runs: the part that the hash of this commit chooses, in which no file takes more than
                   60 seconds
  --report <file>  writes the report of vitest as JSON
  --help           this text

It needs what .ci/run installs: PostgreSQL, PgBouncer, Redis, Chromium, z3, Go, OpenSSL, Prometheus, systemd and Python
with cryptography.
Exit code 0: everything passed; 1: something failed; 2: wrong usage.`;

const OPTIONS = {
  part: { type: 'string' },
  of: { type: 'string' },
  report: { type: 'string' },
  help: { type: 'boolean', default: false },
};

process.exitCode = await runCommand({ usage: USAGE, readOptions, run });

async function run({ part, of, report }) {
  const option = of === undefined ? `--part ${part}` : `--of ${of}`;
  if (part !== undefined)
    console.log(`Part ${part} of ${PARTS.length}. Run it again with: npm run test:all -- ${option}`);
  const chosen = part === undefined ? PARTS.flat() : PARTS[part - 1];
  const size = of === undefined ? 'full' : 'commit';
  const results = [['test files', timed('test files', () => runFiles(part, size, report))]];
  for (const name of chosen) results.push([name, timed(name, () => runProgram(name))]);
  const failed = results.filter(([, status]) => status !== 0).map(([name]) => name);
  for (const name of failed) console.log(`failed: ${name}`);
  return failed.length === 0 ? 0 : 1;
}

function timed(name, call) {
  console.log(`\n=== ${name}`);
  const started = performance.now();
  const status = call();
  console.log(
    `--- ${name}: exit code ${status} after ${Math.round((performance.now() - started) / 1_000)} s`,
  );
  return status;
}

function runFiles(part, size, report) {
  const reporters =
    report === undefined ? [] : ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/all/vitest.config.ts',
    ...reporters,
  ];
  const env = { ...process.env, TEST_SIZE: size, ...(part !== undefined && { PART: `${part}` }) };
  return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
}

function runProgram(name) {
  const [script, ...args] = PROGRAMS[name].command;
  const command = ['run', '--silent', script, '--', ...args];
  return spawnSync('npm', command, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
}

/** Returns the options, or `undefined` for `--help`. */
function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return undefined;
  const { part, of, report } = values;
  if (part !== undefined && of !== undefined) throw new Error('Give --part or --of, not both.');
  if (of !== undefined) return { ...partOfCommit(of), report };
  if (part !== undefined && !(Number(part) >= 1 && Number(part) <= PARTS.length && /^\d$/.test(part)))
    throw new Error(`--part: it must be a number from 1 to ${PARTS.length}.`);
  return { part: part === undefined ? undefined : Number(part), report };
}

/** Returns the part and the full hash of a commit. */
function partOfCommit(commit) {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', `${commit}^{commit}`], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`--of: there is no commit ${commit}.`);
  const hash = stdout.trim();
  return { part: (Number.parseInt(hash.slice(0, 8), 16) % PARTS.length) + 1, of: hash };
}

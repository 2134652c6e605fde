/** Proves on real processes and servers what many nodes promise: `npm run test:nodes -- --help`. */

import { parseArgs } from 'node:util';
import { createRandom } from '../../bench/lib/random.mjs';
import { runCommand } from '../support/command.mjs';
import { turnOfCommit } from '../support/turn-of-commit.mjs';
import { DURABLE } from './engines.mjs';
import { PROOFS } from './proofs.mjs';
import { createReport } from './report.mjs';
import { proveOn } from './workshop.mjs';

const USAGE = `Proves what several nodes on one storage promise, with real nodes and private servers of its own.

Usage: npm run test:nodes -- [options]

  --engine <names>   some of ${DURABLE.join(',')} (default: all, with --quick SQLite and one that the commit chooses)
  --proof <names>    some of ${Object.keys(PROOFS).join(',')} (default: all)
  --changes <n>      acknowledged changes of each run of strict, silent, default and torn (default: 10000)
  --quick            a handful of each in a minute, for CI; says nothing about p99
  --seed <n>         the choices of a run before (default: any)
  --help             this text

  strict, default    changes of every kind under load; verdicts evaluated by the start of their requests
  silent, torn       as default, while no message comes, and while what brings them is cut all the time
  races              whatever may bring a passport back, at once with its revocation
  rolling            SIGTERM to one node after the other, started anew, under load
  nodes, store       kill -9 in the middle of writes, then what was acknowledged against what is found

It needs PostgreSQL and Redis installed (apt-get install postgresql redis-server), not running. The table at the end
says what was expected and what was seen. Exit code 0: everything holds; 1: something does not; 2: called wrongly.`;

const OPTIONS = {
  engine: { type: 'string' },
  proof: { type: 'string', default: Object.keys(PROOFS).join(',') },
  changes: { type: 'string' },
  quick: { type: 'boolean', default: false },
  seed: { type: 'string' },
  help: { type: 'boolean', default: false },
};

const SHARED = DURABLE.filter((name) => name !== 'sqlite');

const WHOLE = {
  changes: 10_000,
  races: 3_000,
  rounds: 5,
  settledAfter: 200,
  nodeKills: 300,
  sqliteKills: 100,
  storeKills: 100,
};
const QUICK = {
  changes: 20,
  races: 8,
  rounds: 1,
  settledAfter: 20,
  nodeKills: 2,
  sqliteKills: 2,
  storeKills: 2,
};

process.exitCode = await runCommand({ usage: USAGE, readOptions, run });

async function run(given) {
  // What was started ends when this process exits.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  const { engines, proofs, seed, ...sizes } = given;
  const report = createReport();
  console.log(`Node ${process.version}, seed ${seed}, ${new Date().toISOString()}`);
  for (const engine of engines) {
    const own = Object.keys(PROOFS).filter(
      (name) => proofs.includes(name) && PROOFS[name].engines.includes(engine),
    );
    await proveOn(engine, own, { ...sizes, report, randomOf: () => createRandom(seed) });
  }
  console.log(`\n${report.table()}`);
  return report.holds() ? 0 : 1;
}

/** What the command line asks for; undefined when it asks for help. */
function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return undefined;
  const engines = chosen('--engine', values.engine ?? enginesOf(values.quick), DURABLE);
  const proofs = chosen('--proof', values.proof, Object.keys(PROOFS));
  const sizes = values.quick ? QUICK : WHOLE;
  const changes = wholeNumber('--changes', values.changes, sizes.changes);
  const seed = wholeNumber('--seed', values.seed, Math.floor(Math.random() * 2 ** 31));
  return { ...sizes, changes, seed, engines, proofs, isQuick: values.quick };
}

function enginesOf(isQuick) {
  return isQuick ? `sqlite,${SHARED[turnOfCommit() % SHARED.length]}` : DURABLE.join(',');
}

function chosen(flag, text, known) {
  const names = text.split(',');
  const unknownName = names.find((name) => !known.includes(name));
  if (unknownName !== undefined)
    throw new Error(`${flag}: "${unknownName}" is not one of ${known.join(', ')}.`);
  return names;
}

function wholeNumber(flag, text, byDefault) {
  if (text === undefined) return byDefault;
  if (!/^[1-9][0-9]{0,9}$/.test(text)) throw new Error(`${flag}: it must be a whole number.`);
  return Number(text);
}

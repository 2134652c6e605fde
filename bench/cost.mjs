/** What the calls of a storage cost by the number of passports behind them: `npm run bench:cost -- --help`. */

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { runCommand } from '../test/support/command.mjs';
import { compareColdVerify } from './cost/cold-verify.mjs';
import { ENGINES, openEngine } from './cost/engines.mjs';
import { measureCalls } from './cost/measure.mjs';
import { printCalls, printColdVerify } from './cost/print.mjs';

const USAGE = `Measures what each call of a storage costs at different numbers of passports, and cold verify.

Usage: npm run bench:cost -- [options]

  --engine <names>   some of ${ENGINES.join(',')} (default: all)
  --sizes <numbers>  passports (default: 1000,10000,100000,1000000, which takes an hour at most)
  --rounds <number>  how often each call is measured at each size (default: 200)
  --help             this text

All sizes of an engine are there at once and the rounds alternate between them, so that a busy machine slows all of
them alike; only the ratios mean something. PostgreSQL and Redis are private servers that are gone afterwards. It
exits with 1 when a call other than list costs more than 1.5 times as much at the largest size as at the smallest
(get from memory: more than a bare Map of the run, whose look-ups leave the caches of the processor too), or when cold verify is slower than 0.8 of the engine's own read of one row.`;

const OPTIONS = {
  engine: { type: 'string', default: ENGINES.join() },
  sizes: { type: 'string', default: '1000,10000,100000,1000000' },
  rounds: { type: 'string', default: '200' },
  help: { type: 'boolean', default: false },
};

process.exitCode = await runCommand({ usage: USAGE, readOptions, run });

async function run(given) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
  let isGood = true;
  for (const name of given.engines) {
    const engine = await openEngine(name, console.log);
    try {
      const stores = [];
      for (const size of given.sizes) stores.push(await engine.openFilled(size));
      isGood = printCalls(name, given.sizes, await measureCalls(stores, given.rounds)) && isGood;
      const compared = await compareColdVerify(engine, stores[0], given.rounds);
      if (compared !== undefined) isGood = printColdVerify(name, compared) && isGood;
    } finally {
      await engine.close();
    }
  }
  return isGood ? 0 : 1;
}

/** What the command line asks for; undefined when it asks for help. */
function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return undefined;
  const engines = values.engine.split(',');
  const unknown = engines.find((name) => !ENGINES.includes(name));
  if (unknown !== undefined) throw new Error(`--engine: there is no "${unknown}".`);
  const sizes = values.sizes.split(',').map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1_000)) {
    throw new Error('--sizes: whole numbers from 1000 on.');
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1_000) throw new Error('--rounds: 1 to 1000.');
  return { engines, sizes, rounds };
}

/** Breaks the store under a service in every way we know, and tells what was seen: `npm run test:faults -- --help`. */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runCommand } from '../support/command.mjs';
import { RECOVERY_MS, REQUEST_MS } from './evaluate.mjs';
import { toMarkdown, toText } from './report.mjs';
import { runEngine } from './run-engine.mjs';

/** The engines with faults that a short run has, and those that have none. */
const QUICK = ['postgres', 'postgres-hosts', 'redis', 'redis-cluster', 'redis-sentinel', 'sqlite'];
const ENGINES = [...QUICK, 'redis-unconfirmed', 'redis-cluster-unconfirmed'];

const USAGE = `Breaks the store under a running service and checks every answer.

Usage: npm run test:faults -- [options]

  --engine <names>     some of ${ENGINES.join(',')} (default: all)
  --fault <names>      only these, as the table names them
  --three              asks a second node as well, over each store that nodes share; nothing else may run on two cores then
  --quick              one fault for each engine, which the commit chooses, in a minute
  --markdown <file>    writes the tables as Markdown, too
  --help               this text

Each engine is a private server with a proxy before it; a real node (agent-identity serve) and a service in this
process are asked all the time: passports that may, that were revoked, that are unknown, amounts over the limit,
new passports, revocations, spends and their retries. No answer may take longer than ${REQUEST_MS} ms, be a wrong
ALLOW, or be anything but 200 and 503; work goes on at most ${RECOVERY_MS} ms after the store is back, with every
passport and spend that was acknowledged. It needs PostgreSQL and Redis to be
installed; the small disks need the right to mount. It exits with 0 when every row holds, with 1 when one does
not, with 2 when it was called wrongly.`;

const OPTIONS = {
  engine: { type: 'string' },
  fault: { type: 'string' },
  three: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  markdown: { type: 'string' },
  help: { type: 'boolean', default: false },
};

process.exitCode = await runCommand({ usage: USAGE, readOptions, run });

async function run(given) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  const tables = [];
  for (const engine of given.engines) tables.push({ engine, rows: await runEngine(engine, given) });
  for (const { engine, rows } of tables) console.log(`\n${engine}\n${toText(rows)}`);
  if (given.markdown !== undefined) writeFileSync(given.markdown, tables.map(toMarkdown).join('\n'));
  return tables.every(({ rows }) => rows.length > 0 && rows.every(({ problems }) => problems.length === 0))
    ? 0
    : 1;
}

/** What the command line asks for; undefined when it asks for help. */
function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return undefined;
  const engines = values.engine?.split(',') ?? (values.quick ? QUICK : ENGINES);
  const unknown = engines.find((name) => !ENGINES.includes(name));
  if (unknown !== undefined) throw new Error(`--engine: there is no "${unknown}".`);
  const { fault, three: isThree, quick: isQuick, markdown } = values;
  return { engines, only: fault?.split(','), isThree, isQuick, markdown };
}

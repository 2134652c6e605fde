/** Prints the plan for a load from the published figures: node bench/sizing.mjs --help */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { figuresOf, planOf } from './lib/sizing.mjs';
import { planText, sizingOf } from './lib/sizing-page.mjs';

const HELP = `node bench/sizing.mjs [--agents 1e6] [--active 1e5] [--verdicts 1e5] ...

  --agents <n>             agents that have a passport; default 1e6
  --active <n>             agents asked about again and again; default: all
  --verdicts <n>           verdicts a second; default 1e5
  --spends <share>         the share of the verdicts that spend from a budget, 0 to 1; default 0
  --changes <n>            changes of passports and keys a second; default 0
  --records-per-block <n>  verdicts of an account in a block, which a node writes about once a second; default 200
  --retention-days <n>     days for which verdicts are kept; default 90
  --storage <name>         postgres, redis or sqlite; default postgres
  --results <file>         figures of another run; default: bench/results.json
  --json                   the plan as JSON

Figures of your own machine: npm run bench -- sizing, then --results .build/bench/results.json.`;

const NUMBERS = {
  agents: [1e6, 1],
  active: [undefined, 0],
  verdicts: [1e5, 0],
  spends: [0, 0, 1],
  changes: [0, 0],
  'records-per-block': [200, 1],
  'retention-days': [90, 1],
};

const { values } = parsed();
if (values.help) end(HELP, 0);
const { agents, ...found } = Object.fromEntries(
  Object.entries(NUMBERS).map(([name, bounds]) => [name, numberOf(name, bounds)]),
);
const load = {
  agents,
  active: Math.min(agents, found.active ?? agents),
  ...{ verdicts: found.verdicts, spends: found.spends, changes: found.changes },
  recordsPerBlock: found['records-per-block'],
  retentionDays: found['retention-days'],
  storage: values.storage ?? 'postgres',
};
const plan = planned();
if (values.json) {
  const { nodes, connections, store_cores, store_bytes, retention_days, fails_first } = plan;
  const shown = { nodes, connections, store_cores, store_bytes, retention_days, fails_first };
  console.log(JSON.stringify(shown, null, 2));
} else {
  console.log(planText(load, plan));
}

function planned() {
  const file = values.results ?? new URL('results.json', import.meta.url);
  try {
    const sizing = sizingOf(JSON.parse(readFileSync(file, 'utf8')));
    if (sizing === undefined) throw new Error('The part sizing was not measured: npm run bench -- sizing.');
    return planOf(load, figuresOf(sizing));
  } catch (error) {
    return end(error.message, 1);
  }
}

function numberOf(name, [byDefault, least, most = Number.POSITIVE_INFINITY]) {
  const text = values[name];
  if (text === undefined) return byDefault;
  const number = Number(text);
  if (text.trim() !== '' && number >= least && number <= most && Number.isFinite(number)) return number;
  const upTo = most === Number.POSITIVE_INFINITY ? '' : ` to ${most}`;
  return end(`--${name} is a number from ${least}${upTo}, not ${text}`, 2);
}

function parsed() {
  const texts = [...Object.keys(NUMBERS), 'storage', 'results'].map((name) => [name, { type: 'string' }]);
  const flags = ['json', 'help'].map((name) => [name, { type: 'boolean' }]);
  try {
    return parseArgs({ options: Object.fromEntries([...texts, ...flags]) });
  } catch (error) {
    return end(error.message, 2);
  }
}

function end(text, code) {
  (code === 0 ? console.log : console.error)(text);
  process.exit(code);
}

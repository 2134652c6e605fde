import { parseArgs } from 'node:util';

/** The parts of the benchmark in the order of their runs, each with its question. */
const PARTS = {
  decide: 'the pure verdict against what one would write by hand',
  verify: 'the whole service in process, records filed',
  verifier: 'a local verifier beside the service, the client, and its command beside serve',
  http: 'POST /verify over loopback: node:http, Express, and what they cost by themselves',
  nodes: 'one, two and four agent-identity serve on one PostgreSQL',
  storage: 'a record by its id and a record more, through each storage and its raw client',
  journal: 'verdicts recorded at 100,000 a second, through each storage, and read again',
  replay: 'recorded verdicts under another passport, and two passports compared',
  events: 'verdicts while the streams of an account are open',
  identity: 'proofs, signed passports, status lists and DID documents, and domains whose hosts are dead',
  permit: 'verdicts with a permit, and permits that a resource verifies',
  tokens: 'access tokens: issued in process and over HTTP, and verified at the resource',
  log: 'the log of an account beside none, the delay of its leaves, and an audit',
  guard: 'a call of a tool: evaluated in process, and behind agent-identity mcp-guard',
  members: 'sessions, the login of an application, pages of people and changes, approvals of other people',
  'entry-points': 'metrics, tracing without an SDK, and an AuthZEN evaluation beside /verify',
  scale: 'passports, verdicts and names by the million, and the start of a process',
  sizing: 'what a node and each storage take: the figures of SIZING.md',
};

/** The parts that measure peers. In the parts verify and http, peers are additional rows. */
const PEER_PARTS = ['peers', 'cedar'];

/**
 * Reads the options of the command line. For `--help` and for an invalid option, it prints the options and ends the
 * process.
 */
export function readArgs(argv) {
  const { values, positionals } = parsed(argv);
  if (values.help) end(HELP, 0);
  const known = [...Object.keys(PARTS), 'peers'];
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) end(`There is no part ${unknown.join(', ')}. There are: ${known.join(', ')}`, 2);
  const named = Object.keys(PARTS).filter((part) => positionals.includes(part));
  const asked = named.length > 0 ? named : Object.keys(PARTS);
  const withPeers = positionals.includes('peers');
  const parts = asked.flatMap((part) => (withPeers && part === 'decide' ? [part, ...PEER_PARTS] : [part]));
  const { json = false, quick = false, full = false, save = false, draw = false } = values;
  if (quick && save) end('A run with --quick has no figures to save.', 2);
  return { parts, withPeers, json, quick, full, save, draw };
}

function parsed(argv) {
  const flag = { type: 'boolean' };
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: { json: flag, quick: flag, full: flag, save: flag, draw: flag, help: flag },
    });
  } catch (error) {
    return end(error.message, 2);
  }
}

function end(text, code) {
  (code === 0 ? console.log : console.error)(text);
  process.exit(code);
}

const HELP = `npm run bench -- [part ...] [peers] [--quick] [--full] [--save] [--json]

Parts (default: all of them, about ten minutes):
${Object.entries(PARTS)
  .map(([name, what]) => `  ${name.padEnd(8)} ${what}`)
  .join('\n')}
  peers    adds the peers, installed once below .build/peers (about 150 MB); alone: to every part that has any

  --quick  a few calls of each: only that the answers are equal, for CI; writes nothing
  --full   more and longer: 10,000,000 verdicts, a minute of records, three seconds for each HTTP round
  --save   writes into the files of the repository; without it they are in .build/bench/
  --draw   runs nothing: draws the chart and the targets of the repository anew from its results
  --json   the results on stdout, the progress on stderr

Writes results.json, chart.svg, SIZING.md and the targets of README.md. A part that did not run, or ran on another major version
of Node, keeps its earlier results. The chart shows the lowest version of Node with a run that was not doubtful.
PG_URL and REDIS_URL name the servers of the part storage.`;

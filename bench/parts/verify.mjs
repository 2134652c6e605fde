/** The whole service in process, everything on, over the memory storage. */
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { createAsyncFloor } from '../lib/floors.mjs';
import { finish, progress, ratioOf, readTask, target, withRatios } from '../lib/part.mjs';
import { assertEqualAnswers, measure, promising, timerOverhead } from '../lib/rounds.mjs';
import { openService } from '../lib/service.mjs';
import { median, quantile, range } from '../lib/stats.mjs';
import { column, timeColumns } from '../lib/table.mjs';
import { freshIntents, makeWork } from '../lib/work.mjs';

const { isQuick, rounds, peers } = readTask();
/** Fewer than the journal keeps waiting, so that none is dropped. */
const { passports, texts, expected } = makeWork({ intents: isQuick ? 1_000 : 5_000 });
const inputs = () => freshIntents(texts);
const FLOOR = 'async floor';
const VERIFY = 'service.verify';
const VERIFY_AS = 'service.verifyAs, with an API key';
const BETTER_AUTH = 'better-auth verifyApiKey, stored in memory';

progress('passports are issued');
const opened = await openService(passports);
const { service, key, settle } = opened;
/** What is in memory serves for 800 ms: a turn begins with every passport read, as under steady load. */
async function warm() {
  for (const { agent_id } of passports) await service.verify({ agent_id, action: 'warm', dry_run: true });
  await settle();
}

const contestants = [
  promising(FLOOR, createAsyncFloor(passports)),
  promising(VERIFY, (intent) => service.verify(intent), { settle, warm }),
  promising(VERIFY_AS, (intent) => service.verifyAs(key, intent), { settle, warm }),
];

progress('every answer is compared');
await assertEqualAnswers(contestants, { inputs, expected });
if (peers !== undefined) contestants.push(await betterAuth());

const report = (how) => (round, of) => progress(`${how}: round ${round} of ${of}`);
const single = await measure(contestants, { inputs, rounds, how: 'single', report: report('one call') });
const loop = await measure(contestants, { inputs, rounds, report: report('in a loop') });
const timer = timerOverhead();
const flushes = [
  ['the journal and the memory storage', await flushCost(opened)],
  [
    'the journal alone, over a storage that keeps nothing',
    await flushCost(await openService(passports, withoutFiling())),
  ],
];
await service.close();

const loopOf = (name) => loop.find((figure) => figure.name === name);
const verifyNs = loopOf(VERIFY).p50;
const singleOf = single.find(({ name }) => name === VERIFY);

finish({
  tables: [
    {
      title: 'One verdict, one awaited call timed by itself',
      note: `Reading the clock takes ${timer.toFixed(0)} ns of each figure; the second ratio is without it.`,
      columns: [...timeColumns('x async floor').slice(0, 4), column('net', 'less the clock', 'x')],
      rows: withRatios(single, FLOOR).map((row) => ({ ...row, net: netRatio(row) })),
    },
    {
      title: 'One verdict, a tight loop of awaited calls divided by its length',
      note: 'p50 and p99 over batches of 100 calls. Records are filed between the rounds: see the next table.',
      columns: timeColumns('x async floor'),
      rows: withRatios(loop, FLOOR),
    },
    {
      title: 'Filing one record afterwards, in batches: CPU of the process per record',
      columns: [
        column('p50', 'p50', 'ns'),
        column('spread', 'rounds, low to high', 'ns'),
        column('share', 'share of a verify with its filing', 'x'),
      ],
      rows: flushes.map(([name, { p50, spread }]) => ({ name, p50, spread, share: p50 / (p50 + verifyNs) })),
    },
  ],
  targets: [
    target('verify / async floor, one call', ratioOf(single, VERIFY, FLOOR), { atMost: 3 }),
    target('verify / async floor, loop', ratioOf(loop, VERIFY, FLOOR), { atMost: 4 }),
    target('verifyAs / async floor, one call', ratioOf(single, VERIFY_AS, FLOOR), { atMost: 6 }),
    target('verifyAs / async floor, loop', ratioOf(loop, VERIFY_AS, FLOOR), { atMost: 9 }),
    target('p99 / p50 of verify, one call', singleOf.p99 / singleOf.p50, { atMost: 3 }),
    target('journal and analytics, share of verify', flushes[0][1].p50 / (flushes[0][1].p50 + verifyNs), {
      atMost: 0.25,
    }),
    ...(peers === undefined
      ? []
      : [target('better-auth / verifyAs, loop', ratioOf(loop, BETTER_AUTH, VERIFY_AS), { atLeast: 100 })]),
  ],
});

function netRatio({ p50 }) {
  return (p50 - timer) / (single[0].p50 - timer);
}

/** What the process works per record from the last answer until all are on file. */
async function flushCost({ service: asked, settle: filed }) {
  const figures = [];
  for (let round = 0; round <= rounds; round += 1) {
    progress(`filing: round ${round} of ${rounds}`);
    const intents = inputs();
    for (const intent of intents) await asked.verify(intent);
    const before = process.cpuUsage();
    await filed();
    const { user, system } = process.cpuUsage(before);
    if (round > 0) figures.push(((user + system) * 1e3) / intents.length);
  }
  return { p50: median(figures), spread: range(figures), p99: quantile(figures, 0.99) };
}

function withoutFiling() {
  return { storage: { ...memoryStorage(), append: async () => {} } };
}

async function betterAuth() {
  const { openBetterAuth } = await import('../peers/better-auth.mjs');
  const { ask } = await openBetterAuth(peers);
  // It knows keys, not intents: whether the key holds is all that is compared.
  return { ...promising(BETTER_AUTH, () => ask()), inputs: () => inputs().slice(0, isQuick ? 20 : 500) };
}

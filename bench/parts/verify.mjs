/** The whole service in process, everything on, over the memory storage. */
import { setTimeout as pause } from 'node:timers/promises';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { createAsyncFloor } from '../lib/floors.mjs';
import { finish, peerTarget, progress, ratioOf, readTask, target, withRatios } from '../lib/part.mjs';
import { assertEqualAnswers, measure, promising, timerOverhead } from '../lib/rounds.mjs';
import { KEPT_IN_MEMORY, openService, withoutFiling } from '../lib/service.mjs';
import { median, quantile, range } from '../lib/stats.mjs';
import { column, timeColumns } from '../lib/table.mjs';
import { freshIntents, makeWork } from '../lib/work.mjs';

const { isQuick, rounds, peers } = readTask();
/** Fewer than the journal keeps waiting, so that none is dropped. */
const { passports, texts, expected } = makeWork({ intents: isQuick ? 1_000 : 5_000 });
const inputs = () => freshIntents(texts);
/** A steady flow: so many verdicts, then a pause, in which they are filed. */
const PORTION = 250;
const PAUSE_MS = 3;
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
const kept = await filingCost(service);
const { service: forgetful } = await openService(passports, { storage: withoutFiling(memoryStorage()) });
const filings = [
  ['the journal and the memory storage', kept],
  ['the journal alone, over a storage that keeps nothing', await filingCost(forgetful)],
];
await Promise.all([service.close(), forgetful.close()]);

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
      title: 'A steady flow: CPU of the process per verdict, garbage collection and all',
      note: `${PORTION} verdicts in a row, then ${PAUSE_MS} ms in which they are filed; what such a pause works by itself is taken off.`,
      columns: [
        column('verify', 'verify', 'ns'),
        column('p50', 'filing', 'ns'),
        column('spread', 'rounds, low to high', 'ns'),
        column('share', 'share of filing', 'x'),
      ],
      rows: filings.map(([name, row]) => ({ name, ...row })),
    },
  ],
  targets: [
    target('verify / async floor, one call', ratioOf(single, VERIFY, FLOOR), { atMost: 3 }),
    target('verify / async floor, loop', ratioOf(loop, VERIFY, FLOOR), { atMost: 4 }),
    target('verifyAs / async floor, one call', ratioOf(single, VERIFY_AS, FLOOR), { atMost: 6 }),
    target('verifyAs / async floor, loop', ratioOf(loop, VERIFY_AS, FLOOR), { atMost: 9 }),
    target('p99 / p50 of verify, one call', singleOf.p99 / singleOf.p50, { atMost: 3 }),
    target('journal and analytics, share of verify', kept.share, { atMost: 0.25 }),
    ...(peers === undefined
      ? []
      : [
          peerTarget('better-auth / verifyAs, loop', loop, {
            peer: BETTER_AUTH,
            ours: VERIFY_AS,
            floor: FLOOR,
            atLeast: 100,
          }),
        ]),
  ],
});

function netRatio({ p50 }) {
  return (p50 - timer) / (single[0].p50 - timer);
}

/**
 * What the process works per verdict in nanoseconds, until it is answered and then until its record is stored and
 * counted. The rounds before the first fill the memory of the storage: from then on each record drops another.
 */
async function filingCost(asked) {
  const figures = [];
  for (let round = isQuick ? 0 : -KEPT_IN_MEMORY / texts.length; round < rounds; round += 1) {
    progress(`filing: ${round < 0 ? 'the memory is filled' : `round ${round + 1} of ${rounds}`}`);
    let verify = 0;
    let filing = 0;
    for (let from = 0; from < texts.length; from += PORTION) {
      const intents = freshIntents(texts.slice(from, from + PORTION));
      verify += await cpuOf(async () => {
        for (const intent of intents) await asked.verify(intent);
      });
      filing += await cpuOf(() => pause(PAUSE_MS));
    }
    for (let from = 0; from < texts.length; from += PORTION) filing -= await cpuOf(() => pause(PAUSE_MS));
    const [verifyNs, filingNs] = [verify, filing].map((us) => (us * 1e3) / texts.length);
    if (round >= 0) figures.push({ verifyNs, filingNs, share: filingNs / (verifyNs + filingNs) });
  }
  const filings = figures.map(({ filingNs }) => filingNs);
  return {
    verify: median(figures.map(({ verifyNs }) => verifyNs)),
    p50: median(filings),
    p99: quantile(filings, 0.99),
    spread: range(filings),
    share: median(figures.map(({ share }) => share)),
  };
}

/** Microseconds of CPU, all threads of the process together. */
async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function betterAuth() {
  const { openBetterAuth } = await import('../peers/better-auth.mjs');
  const { ask } = await openBetterAuth(peers);
  // It knows keys, not intents: whether the key holds is all that is compared.
  return { ...promising(BETTER_AUTH, () => ask()), inputs: () => inputs().slice(0, isQuick ? 20 : 500) };
}

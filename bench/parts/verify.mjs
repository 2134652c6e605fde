/** Measures the whole service in process with all features on, over the storage in memory. */
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { filingRounds, filingRow } from '../lib/filing.mjs';
import { createAsyncFloor } from '../lib/floors.mjs';
import { finish, progress, ratioOf, readTask, withRatios } from '../lib/part.mjs';
import { assertEqualAnswers, measure, promising, timerOverhead } from '../lib/rounds.mjs';
import { openService, withoutFiling } from '../lib/service.mjs';
import { column, timeColumns } from '../lib/table.mjs';
import { measureTail } from '../lib/tail.mjs';
import { onNode, target } from '../lib/target.mjs';
import { freshIntents, makeWork } from '../lib/work.mjs';

const { isQuick, rounds, peers } = readTask();
/** The intents, fewer than the journal can keep waiting, so that no record is dropped. */
const { passports, texts, expected } = makeWork({ intents: isQuick ? 1_000 : 5_000 });
const inputs = () => freshIntents(texts);
const FLOOR = 'async floor';
const VERIFY = 'service.verify';
const VERIFY_AS = 'service.verifyAs, with an API key';
const BETTER_AUTH = 'better-auth verifyApiKey, stored in memory';

progress('passports are issued');
const opened = await openService(passports);
const { service, key, settle } = opened;
/**
 * Reads every passport, as under constant load. A passport in memory is valid for 800 ms, so each turn begins with this
 * step.
 */
async function warm(asked = service) {
  for (const { agent_id } of passports) await asked.verify({ agent_id, action: 'warm', dry_run: true });
  await settle();
}
const whole = { settle, warm: () => warm() };

const contestants = [
  promising(FLOOR, createAsyncFloor(passports)),
  promising(VERIFY, (intent) => service.verify(intent), whole),
  promising(VERIFY_AS, (intent) => service.verifyAs(key, intent), whole),
];

progress('every answer is compared');
await assertEqualAnswers(contestants, { inputs, expected });
if (peers !== undefined) contestants.push(await betterAuth());

const report = (how) => (round, of) => progress(`${how}: round ${round} of ${of}`);
const single = await measure(contestants, { inputs, rounds, how: 'single', report: report('one call') });
const loop = await measure(contestants, { inputs, rounds, report: report('in a loop') });
const tail = await measureTail(contestants.slice(0, 3), {
  inputs,
  isQuick,
  report: report('the whole tail'),
});
const timer = timerOverhead();
const { service: forgetful, settle: forget } = await openService(passports, {
  storage: withoutFiling(memoryStorage()),
});
const answered = single.find(({ name }) => name === VERIFY).p50 - timer;
const filing = [];
for (const [name, asked, settled] of [
  ['the journal and the memory storage', service, settle],
  ['the journal alone, over a storage that keeps nothing', forgetful, forget],
]) {
  const report = (text) => progress(`filing: ${text}`);
  const task = { service: asked, settle: settled, warm, inputs, rounds, isQuick, report };
  filing.push(filingRow(name, await filingRounds(task), answered));
}
await Promise.all([service.close(), forgetful.close()]);

const singleOf = single.find(({ name }) => name === VERIFY);

finish({
  tables: [
    {
      title: 'One verdict, one awaited call timed by itself',
      note: `Reading the clock takes ${timer.toFixed(0)} ns of each figure; the second ratio is without it.`,
      columns: [
        ...timeColumns('x async floor', 'single calls').slice(0, 4),
        column('net', 'less the clock', 'x'),
      ],
      rows: withRatios(single, FLOOR).map((row) => ({ ...row, net: netRatio(row) })),
    },
    {
      title: 'One verdict, a tight loop of awaited calls divided by its length',
      note: 'Records are filed between the rounds: see the next table.',
      columns: timeColumns('x async floor'),
      rows: withRatios(loop, FLOOR),
    },
    {
      title: 'A steady flow: CPU of the process per verdict, garbage collection and all',
      note: 'Until the record is stored and counted. Filing is what is more than one call takes until it is answered; the columns alone are those of its block, filled from records that are in hand.',
      columns: [
        column('p50', 'verify and filing', 'ns'),
        column('spread', 'rounds, low to high', 'ns'),
        column('filing', 'filing', 'ns'),
        column('share', 'share of filing', 'x'),
        column('columns', 'the columns alone', 'ns'),
        column('ratio', 'filing / the columns', 'x'),
      ],
      rows: filing,
    },
    tail,
  ],
  targets: [
    target('verify / async floor, one call', ratioOf(single, VERIFY, FLOOR), {
      atMost: onNode({ 20: 3.2, 24: 2.3 }),
    }),
    target('verifyAs / async floor, one call', ratioOf(single, VERIFY_AS, FLOOR), {
      atMost: onNode({ 20: 5, 24: 3.8 }),
    }),
    target('p99 / p50 of verify, one call', singleOf.p99 / singleOf.p50, { atMost: 4 }),
    target('storing a verdict record in memory / only compressing it', filing[0].ratio, { atMost: 1.7 }),
  ],
});

function netRatio({ p50 }) {
  return (p50 - timer) / (single[0].p50 - timer);
}

async function betterAuth() {
  const { openBetterAuth } = await import('../peers/better-auth.mjs');
  const { ask } = await openBetterAuth(peers);
  // It knows keys, not intents: whether the key holds is all that is compared.
  return { ...promising(BETTER_AUTH, () => ask()), inputs: () => inputs().slice(0, isQuick ? 20 : 500) };
}

/**
 * Measures what the event streams of an account cost its verdicts. The maximum number of streams runs, and all read at
 * full speed.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { finish, progress, readTask } from '../lib/part.mjs';
import { openService } from '../lib/service.mjs';
import { median, range } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';
import { freshIntents, makeWork } from '../lib/work.mjs';

const { isQuick, rounds } = readTask();
const STREAMS = 5;
/** The number of verdicts in a turn. It is high enough for many polls of the feeds, which come every 300 ms. */
const VERDICTS = isQuick ? 1_000 : 200_000;
/**
 * The number of verdicts in one turn of the event loop. Between turns, timers and storage answers run, as in a server
 * between requests.
 */
const IN_A_TURN = 100;
/** The pause after a turn, in which the journal finishes its work. */
const PAUSE_MS = isQuick ? 10 : 1_500;

const CONTESTANTS = [
  { name: 'without a stream', streams: 0, types: undefined },
  { name: 'beside five streams of changes', streams: STREAMS, types: ['passport.*', 'key.*'] },
  { name: 'beside five streams of everything', streams: STREAMS, types: undefined },
];

const { passports, texts, expected } = makeWork({ intents: 5_000 });
const { service, account_id } = await openService(passports);
const intents = freshIntents(texts);

for (const [index, intent] of intents.entries()) {
  const { verdict } = await service.verify(intent);
  if (verdict !== expected[index]) throw new Error(`${verdict}, not ${expected[index]}: ${texts[index]}`);
}

const figures = CONTESTANTS.map(({ name }) => ({ name, perRound: [] }));
for (let round = 0; round <= rounds; round += 1) {
  progress(`round ${round} of ${rounds}`);
  // Of turns in a row the later ones are slower: the order changes from round to round.
  const order = CONTESTANTS.map((_, index) => (index + round) % CONTESTANTS.length);
  for (const index of order) {
    const nanoseconds = await turn(CONTESTANTS[index]);
    if (round > 0) figures[index].perRound.push(nanoseconds);
  }
}
await service.close();

const [base, ...others] = figures;
const ratioOf = ({ perRound }) => median(perRound.map((value, at) => value / base.perRound[at]));

finish({
  tables: [
    {
      title: `${VERDICTS.toLocaleString('en')} verdicts in a row, of an account whose streams are open`,
      note: 'CPU of the process per verdict while they are answered: filing, reading for the streams and garbage collection included.',
      columns: [
        column('p50', 'a verdict', 'ns'),
        column('spread', 'rounds, low to high', 'ns'),
        column('ratio', 'x without a stream', 'x'),
      ],
      rows: figures.map((figure) => ({
        name: figure.name,
        p50: median(figure.perRound),
        spread: range(figure.perRound),
        ratio: ratioOf(figure),
      })),
    },
  ],
  targets: others.map((figure) =>
    target(`verify ${figure.name} / without`, ratioOf(figure), { atMost: 1.05 }),
  ),
});

/** Returns the nanoseconds per verdict. */
async function turn({ streams: count, types }) {
  const query = types === undefined ? {} : { types };
  const streams = await Promise.all(
    Array.from({ length: count }, () => service.events.open(query, { account_id })),
  );
  const reading = streams.map(async (stream) => {
    for await (const _ of stream);
  });
  await pause(PAUSE_MS);
  const before = process.cpuUsage();
  for (let at = 0; at < VERDICTS; at += 1) {
    if (at % IN_A_TURN === 0) await nextTurn();
    await service.verify(intents[at % intents.length]);
  }
  const { user, system } = process.cpuUsage(before);
  for (const stream of streams) stream.close();
  await Promise.all(reading);
  return ((user + system) * 1e3) / VERDICTS;
}

/**
 * Cedar in WebAssembly, in a process of its own: Node 20 ends in a loop over it unless it runs with
 * `--no-turbo-inline-js-wasm-calls`.
 */
import { compile } from '../lib/floors.mjs';
import { inHand, judgesOf, preparedJudges } from '../lib/in-hand.mjs';
import { finish, progress, readTask, withRatios } from '../lib/part.mjs';
import { assertEqualAnswers, measure } from '../lib/rounds.mjs';
import { timeColumns } from '../lib/table.mjs';
import { freshIntents, makeWork } from '../lib/work.mjs';
import { openCedar } from '../peers/in-process.mjs';

const { isQuick, rounds, peers } = readTask();
const { passports, texts, expected } = makeWork({ intents: isQuick ? 200 : 1_000, subset: 'common' });
const inputs = () => freshIntents(texts);
const FLOOR = 'compiled floor';
const DECIDE = 'decide, prepared passport';
const CEDAR = '@cedar-policy/cedar-wasm, cached policies';

const contestants = [
  inHand(FLOOR, texts, judgesOf(passports, compile)),
  inHand(DECIDE, texts, preparedJudges(passports)),
  inHand(CEDAR, texts, await openCedar(peers, passports)),
];

progress('every answer is compared');
await assertEqualAnswers(contestants, { inputs, expected });
const report = (round, of) => progress(`round ${round} of ${of}`);
const figures = await measure(contestants, { inputs, rounds, report });

finish({
  tables: [
    {
      title: 'Action and limit only, against Cedar',
      columns: timeColumns('x decide'),
      rows: withRatios(figures, DECIDE),
    },
  ],
});

/** Peers that decide in process, over what all of them know: an action, a limit and an amount. */
import { compile } from '../lib/floors.mjs';
import { inHand, judgesOf, preparedJudges } from '../lib/in-hand.mjs';
import { finish, progress, readTask, withRatios } from '../lib/part.mjs';
import { assertEqualAnswers, measure } from '../lib/rounds.mjs';
import { timeColumns } from '../lib/table.mjs';
import { freshIntents, makeWork } from '../lib/work.mjs';
import { openCasbin, openCasl, openGovernance } from '../peers/in-process.mjs';

const { isQuick, rounds, peers } = readTask();
const { passports, texts, expected } = makeWork({ intents: isQuick ? 200 : 5_000, subset: 'common' });
const inputs = () => freshIntents(texts);

const FLOOR = 'compiled floor';
const DECIDE = 'decide, prepared passport';
const CASL = '@casl/ability';
const CASBIN = 'casbin enforceSync, ABAC';
const GOVERNANCE = 'Microsoft agent-governance-sdk';

const contestants = [
  inHand(FLOOR, texts, judgesOf(passports, compile)),
  inHand(DECIDE, texts, preparedJudges(passports)),
  inHand(CASL, texts, await openCasl(peers, passports)),
  inHand(CASBIN, texts, await openCasbin(peers, passports)),
  inHand(GOVERNANCE, texts, await openGovernance(peers, passports)),
];

progress('every answer is compared');
await assertEqualAnswers(contestants, { inputs, expected });
const report = (round, of) => progress(`round ${round} of ${of}`);
const figures = await measure(contestants, { inputs, rounds, report });

finish({
  tables: [
    {
      title: 'Action and limit only, all that can be made ready beforehand in hand',
      columns: timeColumns('x decide'),
      rows: withRatios(figures, DECIDE),
    },
  ],
});

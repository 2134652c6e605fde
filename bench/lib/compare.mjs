import { compile } from './floors.mjs';
import { evaluatorsOf, inHand, preparedEvaluators } from './in-hand.mjs';
import { finish, progress, readTask, withRatios } from './part.mjs';
import { assertEqualAnswers, measure } from './rounds.mjs';
import { timeColumns } from './table.mjs';
import { freshIntents, makeWork } from './work.mjs';

const DECIDE = 'decide, prepared passport';

/**
 * Runs a part that compares `decide` with peers, for the checks that all of them support: an action, a limit and an
 * amount. A peer has a name and a function that opens it.
 */
export async function compareWith(peers, { title, intents }) {
  const task = readTask();
  const { passports, texts, expected } = makeWork({
    intents: task.isQuick ? 200 : intents,
    subset: 'common',
  });
  const inputs = () => freshIntents(texts);
  const contestants = [
    inHand('compiled floor', texts, evaluatorsOf(passports, compile)),
    inHand(DECIDE, texts, preparedEvaluators(passports)),
  ];
  for (const [name, open] of Object.entries(peers))
    contestants.push(inHand(name, texts, await open(task.peers, passports)));
  progress('every answer is compared');
  await assertEqualAnswers(contestants, { inputs, expected });
  const report = (round, of) => progress(`round ${round} of ${of}`);
  const figures = await measure(contestants, { inputs, rounds: task.rounds, report });
  finish({
    tables: [{ title, columns: timeColumns('x decide'), rows: withRatios(figures, DECIDE) }],
  });
}

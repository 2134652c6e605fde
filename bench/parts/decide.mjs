/** Compares the pure `decide` with checks written by hand. */
import { decide, prepare } from 'agent-identity-service/verdict';
import { compile, createAsyncFloor, createFloor, createFreshFloor } from '../lib/floors.mjs';
import { childEvaluators, evaluatorsOf, inHand, preparedEvaluators } from '../lib/in-hand.mjs';
import { finish, progress, ratioOf, readTask, withRatios } from '../lib/part.mjs';
import { answering, assertEqualAnswers, measure, promising } from '../lib/rounds.mjs';
import { timeColumns } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';
import { EVALUATED_AT as at, freshIntents, makeWork } from '../lib/work.mjs';

const { isQuick, rounds } = readTask();
const { passports, texts, expected } = makeWork({ intents: isQuick ? 2_000 : 10_000 });
const prepared = new Map(passports.map((passport) => [passport.agent_id, prepare(passport)]));
const plain = new Map(passports.map((passport) => [passport.agent_id, passport]));

const FLOOR = 'compiled floor, passport in hand';
const DECIDE = 'decide, prepared passport in hand';
const CHILD = 'decide, child agent with one ancestor in hand';
const TEXT = 'decide, `at` as text';
const ALONE = { ALLOW: ', ALLOW alone', DENY: ', DENY alone' };

const mixed = contestantsOf(texts);
const all = [
  mixed[0],
  answering('floor: Map.get, Set.has, compare', createFloor(passports)),
  answering('floor with a fresh answer', createFreshFloor(passports)),
  promising('floor behind one async function', createAsyncFloor(passports)),
  mixed[1],
  atText(),
  inHand(CHILD, texts, childEvaluators(passports)),
  answering('decide, prepared passport out of a Map', (intent) =>
    decide({ passport: prepared.get(intent.agent_id), intent, at }),
  ),
  answering('decide, plain passport, read anew', (intent) =>
    decide({ passport: plain.get(intent.agent_id), intent, at }),
  ),
  ...['ALLOW', 'DENY'].flatMap((verdict) => {
    const only = texts.filter((_, index) => expected[index] === verdict);
    return contestantsOf(only, ALONE[verdict]).map((contestant) => ({
      ...contestant,
      inputs: () => freshIntents(only),
      expected: only.map(() => verdict),
    }));
  }),
];

progress('every answer is compared');
const inputs = () => freshIntents(texts);
for (const contestant of all) await assertEqualAnswers([contestant], { inputs, expected, ...contestant });
const figures = await measure(all, {
  inputs,
  rounds,
  report: (round, of) => progress(`round ${round} of ${of}`),
});

finish({
  tables: [
    {
      title: 'One verdict',
      note: '10,000 intents a round, strings fresh from JSON.',
      columns: timeColumns('x compiled floor'),
      rows: withRatios(figures, FLOOR).map((row) => ownFloor(row)),
    },
  ],
  targets: [
    target('decide / compiled floor, half of the verdicts ALLOW', ratioOf(figures, DECIDE, FLOOR), {
      atMost: 2,
    }),
    target('decide / compiled floor, ALLOW alone', aloneRatio('ALLOW'), { atMost: 1.5 }),
    target('`decide` with `at` as text / a number', ratioOf(figures, TEXT, DECIDE), { atMost: 1.2 }),
    target('decide for a child agent / for an agent without parent', ratioOf(figures, CHILD, DECIDE), {
      atMost: 2.3,
    }),
    target('a DENY / an ALLOW', ratioOf(figures, DECIDE + ALONE.DENY, DECIDE + ALONE.ALLOW), { atMost: 1.6 }),
  ],
});

/**
 * Measures the same with `at` as text, as a clock gives it. Each text is new, and 100 consecutive texts are in the same
 * millisecond.
 */
function atText() {
  const clock = texts.map((_, index) => new Date(at + Math.floor(index / 100)).toISOString());
  const agents = texts.map((text) => prepared.get(JSON.parse(text).agent_id));
  return answering(TEXT, (intent, index) => decide({ passport: agents[index], intent, at: clock[index] }));
}

/** Returns the baseline and `decide` for these intents. Each passport is already looked up. */
function contestantsOf(given, suffix = '') {
  return [
    inHand(FLOOR + suffix, given, evaluatorsOf(passports, compile)),
    inHand(DECIDE + suffix, given, preparedEvaluators(passports)),
  ];
}

function aloneRatio(verdict) {
  return ratioOf(figures, DECIDE + ALONE[verdict], FLOOR + ALONE[verdict]);
}

/** Compares ALLOW and DENY with the baseline for the same verdict. */
function ownFloor(row) {
  const verdict = Object.keys(ALONE).find((each) => row.name.endsWith(ALONE[each]));
  if (verdict === undefined) return row;
  return { ...row, ratio: ratioOf(figures, row.name, FLOOR + ALONE[verdict]) };
}

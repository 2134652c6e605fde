import { describe, expect, test } from 'vitest';
import { packRecords } from '../../../src/blocks/index.ts';
import type { PassportPatch, VerdictRecord } from '../../../src/records.ts';
import { createDictionaryJudge, LEFT } from '../../../src/service/replay/dictionary-judge.ts';
import { defaultRules, type Rule } from '../../../src/verdict/index.ts';
import { fileBlocks, recordsIn } from '../../support/journal.ts';
import { nightly, sized } from '../../support/runs.ts';
import { type JournalTerms, makeJournal, randomFields } from './journal.ts';
import { type Random, randomOf } from './random.ts';
import { replayed } from './replayed.ts';

const ACCOUNT = 'acc_local';
/** Each record is judged under three changes, for one agent or two: by night 10,000,000 times, in CI 1,000,000. */
const RECORDS = nightly(2_400_000, sized(240_000, 8_000));
const ROUNDS = nightly(80, 8);
const AMOUNTS = [0, 0.01, 1, 4.99, 5, 5.01, 20, 99.99, 100, 100.01, 1e9] as const;
const DAY = 86_400_000;

/** The kinds of journals that are tried; in all but the first some records are left to the slow way. */
const KINDS: readonly Omit<JournalTerms, 'records'>[] = [
  {},
  { edits: true, states: true },
  { approvals: true, edits: true },
  { budgets: true, holds: true, refunds: true, approvals: true, edits: true, states: true },
];

/** A rule of a host that denies some, fails for others, and looks at what is not recorded of a few. */
const picky: Rule = ({ amount, target, intent, action }) => {
  if (typeof amount === 'number' && amount > 20) return { code: 'too_much', message: 'Too much.' };
  if (action.endsWith('get') && target !== undefined) throw new Error('No target was expected.');
  if (amount === 5) void Object.keys(intent['parameters'] ?? {});
  return null;
};

/** A journal of the service, and its records again at other times and with other amounts. */
async function stage(random: Random, kind: Omit<JournalTerms, 'records'>, count: number) {
  const made = await makeJournal(random, { ...kind, records: 300 });
  const records = await recordsIn(made.storage, ACCOUNT);
  const first = Date.parse(records.at(-1)?.evaluated_at ?? '') - 20 * DAY;
  const again = Array.from({ length: count }, (_, index) => {
    const record = random.pick(records);
    const isOther = record.verdict === 'ALLOW' && record.amount !== null && record.budgets.length === 0;
    const timed: VerdictRecord = {
      ...record,
      ...(isOther && { amount: random.pick(AMOUNTS) }),
      // One prefix: a block has the ids of one.
      decision_id: `${records[0]?.decision_id.slice(0, 20)}${String(index).padStart(8, '0')}`,
      evaluated_at: new Date(first + Math.floor((index * 10 * DAY) / count)).toISOString(),
    };
    return { record: timed, bucket: 1 };
  });
  await fileBlocks(made.storage, ACCOUNT, packRecords(again));
  return made;
}

describe.each(Array.from({ length: ROUNDS }, (_, seed) => seed))('a replay (seed %i)', (seed) => {
  test('says of each record by dictionaries what it says by asking for each', async () => {
    const random = randomOf(5_000 + seed);
    const kind = KINDS[seed % KINDS.length] as (typeof KINDS)[number];
    const made = await stage(random, kind, RECORDS / ROUNDS);
    const fields = randomFields(random, { ...kind, records: 0 }) as PassportPatch;
    const names = Object.keys(fields).filter((name) => name !== 'budgets' && name !== 'approval');
    const name = random.pick(names) as keyof PassportPatch;
    const rules = Math.floor(seed / KINDS.length) % 2 === 0 ? defaultRules : [...defaultRules, picky];
    const others = { currency: fields.currency ?? null, budgets: null, approval: null };
    for (const agent of random.chance(0.5) ? made.agents.slice(0, 1) : made.agents.slice(1, 3)) {
      for (const patch of [undefined, { [name]: fields[name] }, { ...fields, ...others }]) {
        const input = patch === undefined ? {} : { patch };
        const fast = await replayed(made, agent, input, { rules }).catch(String);
        const bySlow = { rules, makeJudge: () => undefined };
        const slow = await replayed(made, agent, input, bySlow).catch(String);
        if (typeof fast === 'string' || typeof slow === 'string') expect(fast).toBe(slow);
        else {
          expect(fast.answer).toEqual(slow.answer);
          const expected = placesOf(slow.seen);
          const differing = placesOf(fast.seen).filter((one, index) => one !== expected[index]);
          expect(fast.seen.length).toBe(slow.seen.length);
          expect(differing.slice(0, 5)).toEqual([]);
        }
      }
    }
  }, 600_000);
});

function placesOf(seen: Awaited<ReturnType<typeof replayed>>['seen']): readonly string[] {
  return seen.map(
    ({ decision_id, isAllow, verdict, unknown }) => `${decision_id} ${isAllow} ${verdict} ${unknown}`,
  );
}

test('the fast way judges most records of plain passports, and none where a person is asked', async () => {
  const random = randomOf(7);
  const made = await stage(random, {}, 2_000);
  let judged = 0;
  const makeJudge: typeof createDictionaryJudge = (...chains) => {
    const judgeBlock = createDictionaryJudge(...chains);
    return (
      judgeBlock &&
      ((view) => {
        const judge = judgeBlock(view);
        return (from, until) => {
          const rows = judge(from, until);
          judged += rows.subarray(0, until - from).filter((row) => row !== LEFT).length;
          return rows;
        };
      })
    );
  };
  const { answer } = await replayed(made, made.agents[0] ?? '', {}, { makeJudge });
  expect(judged / answer.judged).toBeGreaterThan(0.3);
  judged = 0;
  const patch = { approval: { actions: ['orders.put'] } };
  await replayed(made, made.agents[0] ?? '', { patch }, { makeJudge });
  expect(judged).toBe(0);
});

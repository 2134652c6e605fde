import type { JournalQuery } from '../../ports/queries.ts';
import type { JournalEntry } from '../../ports/stored.ts';
import { assertEqual, assertRejects } from './assertions.ts';
import type { Claim } from './case.ts';
import { instant } from './fixtures.ts';
import { batch, entry, readEntries, readPages, reads, reason } from './journal-fixtures.ts';

const AGENTS = ['did:web:a.example:agents:a', 'did:web:a.example:agents:b', 'did:web:a.example:agents:a_'];
const CODES = [[], ['a'], ['ab'], ['b', 'a'], [], ['a%', 'c']];

/** Entries that differ in all that can be asked for, four to an instant; newest first. */
const varied: readonly JournalEntry[] = Array.from({ length: 72 }, (_, at) =>
  entry(`e${String(99 - at)}`, {
    created_at: instant(-Math.floor(at / 4)),
    agent_id: AGENTS[at % 3] ?? '',
    environment: at % 5 < 3 ? 'live' : 'test',
    reasons: (CODES[at % CODES.length] ?? []).map(reason),
    dry_run: at % 7 === 0,
  }),
);

/** One choice for every filter. */
const filters: readonly Partial<JournalQuery>[] = [
  { agent_id: AGENTS[0] ?? '' },
  { verdict: 'DENY' },
  { reason: 'a' },
  { environment: 'live' },
  { from: instant(-12) },
  { to: instant(-3) },
];

/** All sets of filters, the empty one first. */
const combinations = Array.from(
  { length: 2 ** filters.length },
  (_, set): Partial<JournalQuery> =>
    Object.assign({}, ...filters.filter((_filter, at) => (set >> at) % 2 === 1)),
);

/** The journal is read complete, in order, and filtered by exactly what was asked. */
export const journalReads: readonly Claim[] = [
  ['a journal without entries is empty', async (storage) => reads(storage, {}, [])],
  [
    'entries are read newest first, those of one instant by the bytes of their ids, however they came',
    async (storage) => {
      const shuffled = [...varied].sort((a, b) => (a.id.slice(-1) < b.id.slice(-1) ? -1 : 1));
      await storage.append(batch('b1', { entries: shuffled.slice(0, 40) }));
      await storage.append(batch('b2', { entries: shuffled.slice(40) }));
      await reads(storage, {}, varied);
      const odd = ['\uffff', '\u{10000}', 'Z', 'a', ''].map((id) => entry(id, { account_id: 'acc_b' }));
      await storage.append(batch('b3', { entries: odd }));
      const found = await readEntries(storage, { account_id: 'acc_b', limit: 9 });
      assertEqual(
        found.map(({ id }) => id),
        ['\u{10000}', '\uffff', 'a', 'Z', ''],
        'the order',
      );
    },
  ],
  [
    'every combination of filters finds exactly what fits it, in complete pages',
    async (storage) => {
      await storage.append(batch('b', { entries: [...varied].reverse() }));
      for (const query of combinations) {
        const expected = varied.filter((record) => fits(record, query));
        await reads(storage, query, expected);
        assertEqual(
          await readPages(storage, { ...query, limit: 5 }),
          expected.map(({ id }) => id),
          `the pages of ${JSON.stringify(query)}`,
        );
      }
    },
  ],
  [
    'filters by the other verdict and environment, and for what nobody has',
    async (storage) => {
      await storage.append(batch('b', { entries: varied }));
      await reads(
        storage,
        { verdict: 'ALLOW' },
        varied.filter(({ reasons }) => reasons.length === 0),
      );
      await reads(
        storage,
        { environment: 'test' },
        varied.filter(({ environment }) => environment === 'test'),
      );
      for (const agent_id of ['', 'did:web:a.example:agents:', 'DID:WEB:A.EXAMPLE:AGENTS:A']) {
        await reads(storage, { agent_id }, []);
      }
      await reads(storage, { verdict: 'ALLOW', reason: 'a' }, []);
    },
  ],
  [
    'a reason is found by its whole code, in which nothing is a wildcard or a separator',
    async (storage) => {
      const codes = [
        ['a'],
        ['ab'],
        ['ba'],
        ['b', 'c'],
        ['b,c'],
        ['a%', 'x'],
        ['A'],
        ['a_c'],
        [''],
        ['x', 'a'],
      ];
      const entries = codes.map((list, at) => entry(`e${at}`, { reasons: list.map(reason) }));
      await storage.append(batch('b', { entries: [entry('allowed'), ...entries] }));
      const find = async (code: string): Promise<readonly string[]> => {
        const found = await readEntries(storage, { account_id: 'acc_a', reason: code, limit: 100 });
        return found.map(({ id }) => id);
      };
      assertEqual(await find('a'), ['e9', 'e0'], 'a');
      assertEqual(await find('b'), ['e3'], 'b');
      assertEqual(await find('c'), ['e3'], 'c');
      assertEqual(await find('b,c'), ['e4'], 'with a comma');
      assertEqual(await find('a%'), ['e5'], 'with a percent sign');
      assertEqual(await find('x'), ['e9', 'e5'], 'the last and the first');
      assertEqual(await find('a_c'), ['e7'], 'with an underscore');
      assertEqual(await find('A'), ['e6'], 'in upper case');
      assertEqual(await find(''), ['e8'], 'the empty code');
      for (const code of ['%', '_', '*', ',', 'a,', ',a,', 'a%25', '%2C', "'", '"', 'x,a']) {
        assertEqual(await find(code), [], JSON.stringify(code));
      }
    },
  ],
  [
    'the journal of an account is its own',
    async (storage) => {
      const mine = entry('mine');
      const theirs = entry('theirs', { account_id: 'acc_b' });
      await storage.append(batch('b', { entries: [mine, theirs] }));
      await reads(storage, {}, [mine]);
      await reads(storage, { account_id: 'acc_b' }, [theirs]);
      for (const account_id of ['acc_c', 'ACC_A', 'acc_', '']) await reads(storage, { account_id }, []);
    },
  ],
  [
    'from is included, to is not, and an empty time finds nothing',
    async (storage) => {
      const entries = [2, 1.001, 1, 0.999, 0].map((second) =>
        entry(`e${second}`, { created_at: instant(second) }),
      );
      await storage.append(batch('b', { entries }));
      await reads(storage, { from: instant(1) }, entries.slice(0, 3));
      await reads(storage, { to: instant(1) }, entries.slice(3));
      await reads(storage, { from: instant(1), to: instant(1.001) }, entries.slice(2, 3));
      await reads(storage, { from: instant(1), to: instant(1) }, []);
      await reads(storage, { from: instant(2), to: instant(0) }, []);
    },
  ],
  [
    'a page goes on after a position that was never stored',
    async (storage) => {
      const entries = ['c', 'b', 'a'].map((id, at) => entry(id, { created_at: instant(3 - at) }));
      await storage.append(batch('b', { entries }));
      await reads(storage, { after: { created_at: instant(9), id: '' } }, entries);
      await reads(storage, { after: { created_at: instant(2), id: 'z' } }, entries.slice(1));
      await reads(storage, { after: { created_at: instant(2), id: 'b' } }, entries.slice(2));
      await reads(storage, { after: { created_at: instant(2), id: 'a' }, to: instant(9) }, entries.slice(2));
      await reads(storage, { after: { created_at: instant(9), id: '' }, to: instant(2) }, entries.slice(2));
      await reads(storage, { after: { created_at: instant(0), id: 'z' } }, []);
    },
  ],
  [
    'pages are complete while entries are appended',
    async (storage) => {
      await storage.append(batch('b', { entries: varied }));
      let round = 0;
      const disturb = async (): Promise<void> => {
        round += 1;
        await storage.append(
          batch(`b${round}`, { entries: [entry(`new${round}`, { created_at: instant(round) })] }),
        );
      };
      assertEqual(
        await readPages(storage, { limit: 7 }, disturb),
        varied.map(({ id }) => id),
        'the pages',
      );
    },
  ],
  [
    'what hardly anything fits is found whole, and the walk has an end, however many others there are',
    async (storage) => {
      const rare = [0, 2_499, 4_998];
      const many = Array.from({ length: 4_999 }, (_, at) =>
        entry(`e${String(at).padStart(5, '0')}`, {
          created_at: instant(Math.floor(at / 3)),
          environment: rare.includes(at) ? 'test' : 'live',
          reasons: [reason(rare.includes(at) ? 'rare' : 'common')],
        }),
      );
      for (let from = 0; from < many.length; from += 250) {
        await storage.append(batch(`b${from}`, { entries: many.slice(from, from + 250) }));
      }
      const expected = [...rare].reverse().map((at) => many[at]?.id ?? '');
      for (const query of [
        { environment: 'test' as const },
        { reason: 'rare' },
        { environment: 'test' as const, reason: 'rare', verdict: 'DENY' as const },
        { agent_id: many[0]?.agent_id ?? '', reason: 'rare' },
      ]) {
        for (const limit of [1, 3, 1_000]) {
          assertEqual(
            await readPages(storage, { ...query, limit }),
            expected,
            JSON.stringify({ ...query, limit }),
          );
        }
      }
      assertEqual(await readPages(storage, { verdict: 'ALLOW', limit: 50 }), [], 'what nothing fits');
    },
  ],
  [
    'a page of the journal holds at most limit entries, and limits outside of 1 to 1,000 reject',
    async (storage) => {
      await storage.append(batch('b', { entries: varied }));
      await reads(storage, { limit: 1 }, varied.slice(0, 1));
      await reads(storage, { limit: 71 }, varied.slice(0, 71));
      for (const limit of [0, -1, 1_001, Number.NaN]) {
        await assertRejects(storage.read({ account_id: 'acc_a', limit }), `the limit ${limit}`);
      }
    },
  ],
];

function fits(record: JournalEntry, query: Partial<JournalQuery>): boolean {
  const { agent_id, verdict, environment, from, to } = query;
  return (
    (agent_id === undefined || record.agent_id === agent_id) &&
    (verdict === undefined || record.verdict === verdict) &&
    (environment === undefined || record.environment === environment) &&
    (query.reason === undefined || record.reasons.some(({ code }) => code === query.reason)) &&
    (from === undefined || record.created_at >= from) &&
    (to === undefined || record.created_at < to)
  );
}

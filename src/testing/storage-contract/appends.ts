import { assert, assertEqual, assertRejects } from './assertions.ts';
import type { Claim } from './case.ts';
import { add, instant, NOW, written } from './fixtures.ts';
import { lookalikes, names, texts } from './hostile-data.ts';
import { batch, delta, entry, readEntries, reads, reason, tallies } from './journal-fixtures.ts';

const DENIED = entry('denied', { reasons: [reason('amount_over_limit'), reason('target_required')] });

/** Verdicts are filed as they are. */
const roundTrips: readonly Claim[] = [
  [
    'an entry comes back as it was appended',
    async (storage) => {
      await storage.append(batch('b', { entries: [DENIED] }));
      await reads(storage, {}, [DENIED]);
    },
  ],
  [
    'what is null stays null, and dry_run a boolean',
    async (storage) => {
      const none = { target: null, amount: null, currency: null, passport_version: null };
      const bare = entry('bare', { ...none, key_id: null, request_id: null, dry_run: true });
      const full = entry('a', { passport_version: Number.MAX_SAFE_INTEGER, environment: 'test' });
      await storage.append(batch('b', { entries: [bare, full] }));
      await reads(storage, {}, [bare, full]);
    },
  ],
  ...[
    ...Object.entries(texts),
    ...names.map((name) => [`the name ${JSON.stringify(name)}`, name] as const),
  ].map(
    ([what, text]): Claim => [
      `a verdict keeps any text: ${what}`,
      async (storage) => {
        const short = [...text].slice(0, 200).join('');
        const fields = {
          action: text,
          target: text,
          reasons: [reason(short), { ...reason('b'), fact: text }],
        };
        const filed = entry(short, { ...fields, agent_id: short });
        const rollups = [
          delta(short, 3, { agent_id: short }),
          delta(`${short}.`, 4, { agent_id: `${short}.` }),
        ];
        await storage.append(batch(short, { entries: [filed, entry('other')], rollups }));
        await reads(storage, { agent_id: short }, [filed]);
        await reads(storage, { reason: short }, [filed]);
        await tallies(storage, { agent_id: short }, [{ key: short, count: 3 }]);
      },
    ],
  ),
  ...Object.entries(lookalikes).map(
    ([what, [one, other]]): Claim => [
      `agents, reasons, keys and batches that differ in ${what} are different`,
      async (storage) => {
        const [first, second] = [one, other].map((text) =>
          entry(text, { agent_id: text, reasons: [reason(text)] }),
        );
        assert(first !== undefined && second !== undefined, 'there are two');
        await storage.append(batch(one, { entries: [first], rollups: [delta(one, 1)] }));
        await storage.append(batch(other, { entries: [second], rollups: [delta(other, 2)] }));
        await reads(storage, { agent_id: one }, [first]);
        await reads(storage, { reason: other }, [second]);
        await tallies(storage, {}, [
          { key: one, count: 1 },
          { key: other, count: 2 },
        ]);
      },
    ],
  ),
  [
    'the caller changes neither what it appended nor what it was given',
    async (storage) => {
      const reasons = [reason('a')];
      const entries = [entry('id', { reasons })];
      const rollups = [delta('ALLOW', 1)];
      const appending = storage.append(batch('b', { entries, rollups }));
      reasons.push(reason('b'));
      entries.length = 0;
      rollups.length = 0;
      await appending;
      const expected = entry('id', { reasons: [reason('a')] });
      for (const given of await readEntries(storage, { account_id: 'acc_a', limit: 1 })) {
        Reflect.set(given, 'action', 'other');
        Reflect.set(given.reasons, '0', reason('c'));
      }
      await reads(storage, {}, [expected]);
      await tallies(storage, {}, [{ key: 'ALLOW', count: 1 }]);
    },
  ],
];

/** A batch is appended whole and once. */
const batches: readonly Claim[] = [
  ['an empty batch is appended', async (storage) => storage.append(batch('b'))],
  [
    'a batch that fails leaves nothing, and can be appended once it is mended',
    async (storage) => {
      await storage.append(batch('full', { rollups: [delta('DENY', Number.MAX_SAFE_INTEGER)] }));
      const rollups = [delta('ALLOW', 2), delta('DENY', 1), delta('ERROR', 1)];
      const entries = Array.from({ length: 200 }, (_, at) => entry(`e${at}`));
      await assertRejects(storage.append(batch('b', { entries, rollups })), 'a count above 2^53 - 1');
      await reads(storage, {}, []);
      await tallies(storage, {}, [{ key: 'DENY', count: Number.MAX_SAFE_INTEGER }]);
      await storage.append(batch('b', { entries: [DENIED], rollups: [delta('ALLOW', 2)] }));
      await reads(storage, {}, [DENIED]);
      await tallies(storage, {}, [
        { key: 'DENY', count: Number.MAX_SAFE_INTEGER },
        { key: 'ALLOW', count: 2 },
      ]);
    },
  ],
  [
    'the same batch twice, also at the same time and within the hour, adds once',
    async (storage) => {
      const given = batch('b', { entries: [DENIED], rollups: [delta('DENY', 5)] });
      await Promise.all([storage.append(given), storage.append(given)]);
      await storage.append({ ...given, at: instant(3_599.999), entries: [entry('more')] });
      await reads(storage, {}, [DENIED]);
      await tallies(storage, {}, [{ key: 'DENY', count: 5 }]);
    },
  ],
  [
    'an hour later the id of a batch is free again',
    async (storage) => {
      await storage.append(batch('b', { rollups: [delta('ALLOW', 1)] }));
      await storage.append(batch('b', { at: instant(3_600), rollups: [delta('ALLOW', 2)] }));
      await storage.append(batch('b', { at: instant(7_199.999), rollups: [delta('ALLOW', 4)] }));
      await tallies(storage, {}, [{ key: 'ALLOW', count: 3 }]);
    },
  ],
  [
    'the id of a batch is no counter',
    async (storage) => {
      await written(storage, add('b', 7));
      await storage.append(batch('b', { rollups: [delta('ALLOW', 1)] }));
      assertEqual(await storage.count('b', NOW), 7, 'the counter');
      await tallies(storage, {}, [{ key: 'ALLOW', count: 1 }]);
    },
  ],
  [
    'an entry whose id is stored already is left out, also within its batch and for another account',
    async (storage) => {
      await storage.append(batch('b1', { entries: [DENIED] }));
      const again = [entry('denied'), entry('denied', { account_id: 'acc_b', created_at: instant(1) })];
      const twice = [entry('new', { action: 'first' }), entry('new', { action: 'second' })];
      await storage.append(batch('b2', { entries: [...again, ...twice], rollups: [delta('ALLOW', 1)] }));
      await reads(storage, {}, [entry('new', { action: 'first' }), DENIED]);
      await reads(storage, { account_id: 'acc_b' }, []);
      await tallies(storage, {}, [{ key: 'ALLOW', count: 1 }]);
    },
  ],
  [
    '1,000 entries and 1,000 rollups are one batch',
    async (storage) => {
      const entries = Array.from({ length: 1_000 }, (_, at) => entry(`e${String(at).padStart(4, '0')}`));
      const rollups = entries.map(({ id }, at) => delta(id, at + 1));
      await storage.append(batch('b', { entries, rollups }));
      await reads(storage, {}, [...entries].reverse());
      await tallies(
        storage,
        {},
        rollups.map(({ key, count }) => ({ key, count })),
      );
    },
  ],
  [
    'appends at the same time add up exactly',
    async (storage) => {
      const numbers = Array.from({ length: 20 }, (_, at) => at);
      await Promise.all(
        numbers.map((at) =>
          storage.append(
            batch(`b${at}`, {
              entries: [entry(`e${at}`), entry('shared')],
              rollups: [delta('ALLOW', at), delta('ALLOW', 1), delta(`own ${at}`, 1)],
            }),
          ),
        ),
      );
      const own = numbers.map((at) => ({ key: `own ${at}`, count: 1 }));
      await tallies(storage, {}, [{ key: 'ALLOW', count: 210 }, ...own]);
      const found = await readEntries(storage, { account_id: 'acc_a', limit: 1_000 });
      assertEqual(found.length, 21, 'the number of entries');
    },
  ],
  [
    'no reader sees half a batch',
    async (storage) => {
      for (let round = 1; round <= 5; round += 1) {
        const entries = Array.from({ length: 100 }, (_, at) => entry(`e${round}.${at}`));
        const appending = storage.append(batch(`b${round}`, { entries, rollups: [delta('ALLOW', 100)] }));
        const found = await readEntries(storage, { account_id: 'acc_a', limit: 1_000 });
        assertEqual(found.length % 100, 0, 'the part of a batch that was seen');
        await appending;
      }
    },
  ],
];

/** The journal keeps verdicts, whole batches at a time. */
export const appends: readonly Claim[] = [...roundTrips, ...batches];

import type { Purgeable, StorageAdapter } from '../../ports/storage.ts';
import { assert, assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { add, fixtures, insert, instant, written } from './fixtures.ts';
import { addsRollups, block, delta, filesMerged, writerId } from './journal/fixtures.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

function after(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1_000).toISOString();
}

function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1_000;
}

async function timeOf(storage: StorageAdapter): Promise<string> {
  return (await storage.time(new Date().toISOString())).at;
}

async function storeAged(
  storage: StorageAdapter,
  kind: Purgeable,
  present: string,
  seconds: number,
): Promise<void> {
  const at = after(present, -seconds);
  const id = `${kind}-${seconds}`;
  if (kind === 'sessions' || kind === 'idempotency' || kind === 'events') {
    await written(storage, insert(kind, fixtures[kind](id, { expires_at: at })));
  } else if (kind === 'counters') {
    await written(storage, add(id, 1, { expires_at: at, at: after(at, -DAY) }));
  } else if (kind === 'verdicts') {
    await filesMerged(storage, block(1, { writer: writerOf(seconds), to_ms: Date.parse(at) }), at);
  } else {
    const minute = `${at.slice(0, 16)}:00.000Z`;
    await addsRollups(storage, writerOf(seconds), [delta(id, 1, { minute, agent_id: id })]);
  }
}

function writerOf(seconds: number): string {
  return writerId(seconds < 0 ? `in${-seconds}s` : `ago${seconds}s`);
}

const kinds: readonly Purgeable[] = ['sessions', 'counters', 'idempotency', 'events', 'verdicts', 'rollups'];

/** Tests that a node with a wrong clock does not make records expire for other nodes. */
export const clocks: readonly Claim[] = [
  [
    'the time is that of a clock, or the latest present that it was given',
    async (storage) => {
      const { at, isMark } = await storage.time(instant(0));
      if (isMark) {
        assertEqual(at, instant(0), 'the first present');
        assertEqual((await storage.time(instant(2 * HOUR))).at, instant(2 * HOUR), 'a later present');
        assertEqual((await storage.time(instant(0))).at, instant(2 * HOUR), 'an earlier present');
        const isTrusted = true;
        assertEqual((await storage.time(instant(-DAY), isTrusted)).at, instant(-DAY), 'a trusted present');
        assertEqual((await storage.time(instant(9 * DAY), isTrusted)).at, instant(9 * DAY), 'another');
      } else {
        const began = performance.now();
        for (const present of [instant(0), instant(-DAY), after(at, 99 * DAY)]) {
          const next = await storage.time(present, true);
          assert(!next.isMark, 'it goes on to have a clock');
          const seconds = secondsBetween(at, next.at);
          const most = (performance.now() - began) / 1_000 + 1;
          assert(seconds >= 0 && seconds <= most, `the clock went on by ${seconds} s`);
        }
      }
    },
  ],
  [
    'no present, however far ahead, moves the time by more than a day',
    async (storage) => {
      const before = await timeOf(storage);
      for (const days of [100, 36_500]) await storage.time(after(before, days * DAY));
      const ahead = after(before, 100 * DAY);
      for (const kind of kinds) await storage.purge(kind, ahead, ahead);
      const moved = secondsBetween(before, (await storage.time(before)).at);
      assert(moved >= 0 && moved <= DAY, `the time moved by ${moved} s`);
    },
  ],
  ...kinds.map(
    (kind): Claim => [
      `purge by a clock that is 100 days ahead removes no ${kind} before their time`,
      async (storage) => {
        const present = await timeOf(storage);
        const ahead = after(present, 100 * DAY);
        await storeAged(storage, kind, present, 89 * DAY);
        assertEqual(await storage.purge(kind, after(ahead, -90 * DAY), ahead), 0, 'those of 89 days');
        await storeAged(storage, kind, present, 92 * DAY);
        const number = kind === 'rollups' ? 3 : 1;
        assertEqual(await storage.purge(kind, after(ahead, -90 * DAY), ahead), number, 'those of 92 days');
        await storeAged(storage, kind, present, -2 * DAY);
        assertEqual(await storage.purge(kind, ahead, ahead), number, 'those of 89 days by no retention');
      },
    ],
  ),
  [
    'purge by a clock that is 100 days ahead forgets no writer before its time',
    async (storage) => {
      const present = await timeOf(storage);
      const ahead = after(present, 100 * DAY);
      const known = async () => (await storage.journal.writers()).map(({ id }) => id).sort();
      const ages = [89, 92].map((days) => writerOf(days * DAY));
      for (const [at, days] of [89, 92].entries()) {
        await storage.journal.open(ages[at] ?? '', after(present, -days * DAY));
      }
      await storage.purge('writers', after(ahead, -90 * DAY), ahead);
      assertEqual(await known(), ages.slice(0, 1), 'the writers');
    },
  ],
  [
    'purge by a clock that is behind removes what is older than it says, and no more',
    async (storage) => {
      const present = await timeOf(storage);
      const behind = after(present, -9 * DAY);
      await storeAged(storage, 'verdicts', present, 91 * DAY);
      assertEqual(await storage.purge('verdicts', after(behind, -90 * DAY), behind), 0, 'the number removed');
      await storeAged(storage, 'verdicts', present, 100 * DAY);
      assertEqual(await storage.purge('verdicts', after(behind, -90 * DAY), behind), 1, 'the next');
    },
  ],
  ...(['verdicts', 'rollups'] as const).map(
    (kind): Claim => [
      `completeSince is after the ${kind} that were purged, for every account, and stays where none was`,
      async (storage) => {
        const present = await timeOf(storage);
        const end = (days: number): string => `${after(present, -days * DAY).slice(0, 16)}:00.000Z`;
        await storeAged(storage, kind, present, 50 * DAY);
        assertEqual(await storage.purge(kind, end(90), present), 0, 'a purge of older ones');
        assertEqual(await storage.journal.completeSince('acc_a'), undefined, 'while none was removed');
        assert((await storage.purge(kind, end(30), present)) > 0, 'it was removed');
        assertEqual(await storage.journal.completeSince('acc_a'), end(30), 'of its account');
        assertEqual(await storage.journal.completeSince('acc_b'), end(30), 'of another');
        await storage.purge(kind, end(20), present);
        await storage.purge(kind, end(90), present);
        assertEqual(
          await storage.journal.completeSince('acc_a'),
          end(30),
          'after purges that removed nothing',
        );
        await storeAged(storage, kind, present, 100 * DAY);
        assert((await storage.purge(kind, end(90), present)) > 0, 'a late one was removed');
        assertEqual(await storage.journal.completeSince('acc_a'), end(30), 'after a purge of older ones');
      },
    ],
  ),
];

import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type JoinedReads, joinReads } from '../../adapters/storage/sql/get-record.ts';
import { createDeadlines, type StorageAdapter, type StorageEvent } from '../../src/ports/index.ts';
import { fixtures, insert } from '../../src/testing/storage-contract/fixtures.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { cases } from '../support/runs.ts';
import { type Administration, administer, hasPostgres, openSchema, schemaOf } from './postgres-database.ts';

function toLate(): Error {
  return new Error('late');
}

/** A statement under way. It sees the rows as they are when it is sent. */
interface Statement {
  readonly ids: readonly string[];
  /** Answers, or fails with the error. */
  end(error?: Error): void;
}

/** A table whose statements end when the test says so. */
function openTable(limitMs = PATIENT_MS) {
  const rows = new Map<string, number>();
  const underWay: Statement[] = [];
  const events: StorageEvent[] = [];
  function send<Answer>(ids: readonly string[], answer: () => Answer): Promise<Answer> {
    const seen = answer();
    return new Promise((resolve, reject) => {
      const statement: Statement = {
        ids,
        end(error) {
          underWay.splice(underWay.indexOf(statement), 1);
          if (error === undefined) resolve(seen);
          else reject(error);
        },
      };
      underWay.push(statement);
    });
  }
  const reads: JoinedReads<number> = {
    one: (id) => send([id], () => rows.get(id)),
    several: (ids) => send(ids, () => new Map([...rows].filter(([id]) => ids.includes(id)))),
    deadlines: createDeadlines(limitMs, toLate),
    emit: (event) => events.push(event),
  };
  return { rows, underWay, events, read: joinReads(reads) };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const ID = fc.constantFrom('a', 'b', 'c', 'd');
const STEP = fc.oneof(
  fc.record({ op: fc.constant('read' as const), id: ID }),
  fc.record({ op: fc.constant('burst' as const), id: ID, times: fc.integer({ min: 2, max: 200 }) }),
  fc.record({ op: fc.constant('write' as const), id: ID }),
  fc.record({ op: fc.constant('remove' as const), id: ID }),
  fc.record({ op: fc.constant('end' as const), which: fc.nat(), isFailure: fc.boolean() }),
);

describe('reads that are joined', () => {
  test('answer as each would alone: a state that is not older than the call, or the error of their statement', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 40 }), async (steps) => {
        const { rows, underWay, read } = openTable();
        let clock = 0;
        /** All states that a row had, with the moment from which. */
        const states = new Map<string, [since: number, value: number | undefined][]>();
        const change = (id: string, value: number | undefined): void => {
          states.set(id, [...(states.get(id) ?? []), [clock, value]]);
          if (value === undefined) rows.delete(id);
          else rows.set(id, value);
        };
        const errors: Error[] = [];
        const open: Promise<void>[] = [];
        const ask = (id: string): void => {
          const since = clock;
          open.push(
            read(id).then(
              (value) => {
                const all = states.get(id) ?? [];
                const before = all.filter(([at]) => at <= since).at(-1)?.[1];
                const later = all.filter(([at]) => at > since).map(([, state]) => state);
                expect([before, ...later]).toContain(value);
              },
              (error) => expect(errors).toContain(error),
            ),
          );
        };
        for (const step of steps) {
          clock += 1;
          if (step.op === 'read') ask(step.id);
          if (step.op === 'burst') for (let time = 0; time < step.times; time += 1) ask(step.id);
          if (step.op === 'write') change(step.id, clock);
          if (step.op === 'remove') change(step.id, undefined);
          if (step.op === 'end' && underWay.length > 0) {
            const error = step.isFailure ? new Error('failed') : undefined;
            if (error !== undefined) errors.push(error);
            underWay[step.which % underWay.length]?.end(error);
          }
          await settle();
          expect(underWay.length).toBeLessThanOrEqual(2);
          for (const { ids } of underWay) expect(new Set(ids).size).toBe(ids.length);
        }
        while (underWay.length > 0) {
          underWay[0]?.end();
          await settle();
        }
        await Promise.all(open);
      }),
      { numRuns: cases() },
    );
  });

  test('one read is sent at once, those that wait go together as soon as one has ended, 64 at a time', async () => {
    const { underWay, events, read } = openTable();
    const ids = Array.from({ length: 150 }, (_, index) => `id ${index}`);
    const answers = ids.map((id) => read(id));
    expect(underWay.map((statement) => statement.ids)).toEqual([['id 0'], ['id 1']]);
    underWay[0]?.end();
    await settle();
    expect(underWay.map((statement) => statement.ids)).toEqual([['id 1'], ids.slice(2, 66)]);
    underWay[0]?.end();
    await settle();
    expect(underWay.map((statement) => statement.ids)).toEqual([ids.slice(2, 66), ids.slice(66, 130)]);
    for (let time = 0; time < 3; time += 1) {
      underWay[0]?.end();
      await settle();
    }
    expect(underWay).toEqual([]);
    expect(await Promise.all(answers)).toEqual(ids.map(() => undefined));
    // Those that were sent at once are not reported.
    expect(events).toEqual([64, 64, 20].map((count) => ({ type: 'joined', kind: 'get', count })));
  });

  test('a failed statement rejects its own reads, and the next goes out', async () => {
    const { rows, underWay, read } = openTable();
    rows.set('d', 4);
    const [first, second, third] = [read('a'), read('b'), read('c')];
    underWay[0]?.end(new Error('down'));
    await expect(first).rejects.toThrow('down');
    const fourth = read('d');
    underWay[1]?.end(new Error('down as well'));
    await expect(third).rejects.toThrow('down as well');
    for (const statement of [...underWay]) statement.end();
    await settle();
    for (const statement of [...underWay]) statement.end();
    expect(await second).toBe(undefined);
    expect(await fourth).toBe(4);
  });

  test('a read that is late while it waits rejects alone, and is not sent any more', async () => {
    const { underWay, read } = openTable(1_000);
    const blocking = [read('a'), read('b')];
    const late = read('c');
    await pause(500);
    const younger = read('d');
    await expect(late).rejects.toThrow('late');
    underWay[0]?.end();
    await settle();
    expect(underWay.map(({ ids }) => ids)).toEqual([['b'], ['d']]);
    for (const statement of [...underWay]) statement.end();
    expect(await Promise.all([...blocking, younger])).toEqual([undefined, undefined, undefined]);
  });
});

if (await hasPostgres()) {
  let administration: Administration;
  let storage: StorageAdapter;
  let url: string;

  beforeAll(async () => {
    administration = administer();
    url = await administration.borrowSchema();
    storage = await openSchema(url);
  });
  afterAll(async () => {
    await storage?.close();
    await administration?.end();
  });

  test('many reads at once give each its own record, or none', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `did:web:a.example:agents:${index}-"'\\{}`);
    for (const id of ids) await storage.write([insert('passports', fixtures.passports(id))]);
    const asked = [...ids, ...ids, 'missing', 'missing too', 'a\u0000b', '\ud800'];
    const found = await Promise.all(asked.map((id) => storage.get('passports', id)));
    expect(found.map((record) => record?.id)).toEqual([...ids, ...ids, ...Array(4).fill(undefined)]);
    expect(found[0]).toEqual(await storage.get('passports', ids[0] ?? ''));
    expect(found[0]).not.toBe(found[ids.length]);
  });

  test('a record that cannot be read rejects its own read alone', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `did:web:b.example:agents:${index}`);
    for (const id of ids) await storage.write([insert('passports', fixtures.passports(id))]);
    const table = `${schemaOf(url)}.ais_passports`;
    await administration.query(`update ${table} set allowed_actions = 'no JSON' where id = $1`, [ids[7]]);
    onTestFinished(async () => void (await administration.query(`delete from ${table}`)));
    const found = await Promise.allSettled(ids.map((id) => storage.get('passports', id)));
    expect(found.map(({ status }) => status)).toEqual(
      ids.map((_, index) => (index === 7 ? 'rejected' : 'fulfilled')),
    );
  });
}

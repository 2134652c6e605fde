import { expect, test } from 'vitest';
import { importPassports, type SoundPassport } from '../../adapters/cli/import/import-passports.ts';
import { lineOf } from '../../adapters/cli/import/passport-line.ts';
import type { Report } from '../../adapters/cli/import/read-passports.ts';
import { pagesOf } from '../../src/base/pages.ts';
import type { PassportQuery } from '../../src/client.ts';
import { IdentityError } from '../../src/errors.ts';
import type { Passport } from '../../src/index.ts';
import { openLocalService } from '../support/service.ts';

const LINES = 1_000;

function passportOf(at: number) {
  const input = {
    ...{ domain: 'example.com', agent_name: `a${at}` },
    ...{ allowed_actions: ['orders.*'], monetary_limit_per_txn: 0 },
  };
  const agent_id = `did:web:example.com:agents:a${at}`;
  const standing = { status: 'active' as const };
  const text = lineOf({ ...input, ...standing } as unknown as Passport);
  return {
    input,
    agent_id,
    standing,
    text,
    line: at + 1,
    losses: [],
    unplaced: [],
    parent_agent_id: undefined,
  };
}

const passports: readonly SoundPassport[] = Array.from({ length: LINES }, (_, at) => passportOf(at));

/** A service as the target of an import, and how it was asked. */
function openTarget() {
  const { service } = openLocalService();
  const asked = { gets: 0, pages: 0, written: [] as number[] };
  const { passports } = service.as();
  const target = {
    passports: {
      get: (agentId: string) => {
        asked.gets += 1;
        return passports.get(agentId);
      },
      list: (query?: PassportQuery) =>
        pagesOf((cursor) => {
          asked.pages += 1;
          return passports.list(cursor === undefined ? query : { ...query, cursor });
        }),
    },
    importPassports: (some: Parameters<typeof service.passports.createAll>[0]) => {
      asked.written.push(some.length);
      return service.passports.createAll(some);
    },
    importsAtOnce: 100,
    revoke: () => expect.fail('None is revoked.'),
  };
  const run = async (list: readonly SoundPassport[], generations = [list]) => {
    const reports: Report[] = [];
    const options = {
      dryRun: false,
      keepGoing: true,
      onReports: (some: readonly Report[]) => reports.push(...some),
    };
    await importPassports(target, generations, options);
    return reports.map(({ result }) => result);
  };
  return { service, target, asked, run };
}

test('no more passports are written at once than the target takes, and none is asked for by itself', async () => {
  const { asked, run } = openTarget();
  expect(new Set(await run(passports))).toEqual(new Set(['create']));
  expect(asked).toMatchObject({ gets: 0, pages: 1 });
  expect(asked.written[0]).toBe(32);
  expect(Math.max(...asked.written)).toBeLessThanOrEqual(100);
  expect(asked.written.reduce((sum, count) => sum + count)).toBe(LINES);
  const written = asked.written.length;
  expect(new Set(await run(passports))).toEqual(new Set(['unchanged']));
  expect(asked).toMatchObject({ gets: 0, pages: 1 + LINES / 100 });
  expect(asked.written).toHaveLength(written);
});

test('of a few lines, and in an account that has many more passports, each is asked for', async () => {
  const { asked, run } = openTarget();
  await run(passports);
  const few = passports.slice(400, 410);
  expect(new Set(await run(few))).toEqual(new Set(['unchanged']));
  expect(asked).toMatchObject({ gets: 10, pages: 1 });
  const some = passports.slice(0, 150);
  expect(new Set(await run(some))).toEqual(new Set(['unchanged']));
  // Four pages are more than twice the lines: what is not in them is asked for.
  expect(asked.pages).toBe(1 + 4);
  expect(asked.gets).toBeGreaterThan(10);
  expect(asked.gets).toBeLessThanOrEqual(10 + 150);
});

test('what another process issues during the import is compared, not refused', async () => {
  const { service, target, run } = openTarget();
  const { importPassports: write } = target;
  let isFirst = true;
  target.importPassports = async (some) => {
    if (isFirst) {
      isFirst = false;
      await service.passports.create(passportOf(3).input);
      await service.passports.create({ ...passportOf(5).input, description: 'another' });
    }
    return write(some);
  };
  const results = await run(passports);
  expect([results[3], results[5]]).toEqual(['unchanged', 'differs']);
  expect(results.filter((result) => result === 'create')).toHaveLength(LINES - 2);
});

test('another error than a missing passport ends the import', async () => {
  const { target, run } = openTarget();
  target.passports.get = async () => {
    throw new IdentityError('storage_unavailable', 'The storage did not answer.');
  };
  await expect(run(passports.slice(0, 2))).rejects.toMatchObject({ code: 'storage_unavailable' });
});

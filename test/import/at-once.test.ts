import { expect, test } from 'vitest';
import { importPassports } from '../../adapters/cli/import/import-passports.ts';
import type { SoundPassport } from '../../adapters/cli/import/judge-passports.ts';
import { IdentityError } from '../../src/errors.ts';
import type { Passport } from '../../src/index.ts';

test('no more passports are written at once than the target takes, and each one once', async () => {
  const passports = Array.from({ length: 1_000 }, (_, at) => ({
    agent_id: `did:web:example.com:agents:a${at}`,
    standing: { status: 'active' },
    ...{ line: at + 1, losses: [], unplaced: [] },
  })) as unknown as readonly SoundPassport[];
  const written: (readonly { readonly agent_id: string }[])[] = [];
  await importPassports(
    {
      getPassport: async () => {
        throw new IdentityError('not_found', 'There is no such passport.');
      },
      importPassports: async (some) => {
        written.push(some as unknown as readonly SoundPassport[]);
        return some as unknown as readonly Passport[];
      },
      importsAtOnce: 100,
      revoke: () => expect.fail('None is revoked.'),
    },
    [passports],
    { dryRun: false, keepGoing: false, onReports: () => undefined },
  );
  expect(written.flat().map(({ agent_id }) => agent_id)).toEqual(passports.map(({ agent_id }) => agent_id));
  expect(written[0]).toHaveLength(32);
  expect(Math.max(...written.map(({ length }) => length))).toBeLessThanOrEqual(100);
});

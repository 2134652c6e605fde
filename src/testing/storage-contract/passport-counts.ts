import type { PassportCounts } from '../../ports/journal.ts';
import type { StorageAdapter } from '../../ports/storage.ts';
import { assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { fixtures, insert, instant, NOW, replace, written } from './fixtures.ts';

const none = { active: 0, suspended: 0, revoked: 0, expired: 0 };

/** A storage that counts passports. */
type Counting = StorageAdapter & Required<Pick<StorageAdapter, 'countPassports'>>;

const claims: readonly (readonly [name: string, prove: (storage: Counting) => Promise<void>])[] = [
  [
    'the count of an account without passports is zero',
    async (storage) => {
      await written(storage, insert('passports', fixtures.passports('theirs', { account_id: 'acc_b' })));
      for (const account_id of ['acc_a', '', "acc_a' or 1=1 --", '\0']) {
        assertEqual(
          await countPassports(storage, account_id, NOW),
          none,
          `the count of ${JSON.stringify(account_id)}`,
        );
      }
    },
  ],
  [
    'a passport counts by the status at the instant: revoked, then suspended, then expired, then active',
    async (storage) => {
      const states = {
        plain: {},
        later: { expires_at: instant(60) },
        now: { expires_at: NOW },
        revoked: { status: 'revoked', expires_at: instant(-60) },
        suspended: { status: 'suspended' },
        until: { status: 'suspended', suspended_until: instant(60), expires_at: instant(-60) },
        lapsed: { status: 'suspended', suspended_until: NOW },
        'lapsed and expired': { status: 'suspended', suspended_until: NOW, expires_at: NOW },
      };
      for (const [id, fields] of Object.entries(states)) {
        await written(storage, insert('passports', fixtures.passports(id, fields)));
      }
      const at = async (seconds: number) => countPassports(storage, 'acc_a', instant(seconds));
      assertEqual(await at(0), { active: 3, suspended: 2, revoked: 1, expired: 2 }, 'the count now');
      assertEqual(await at(60), { active: 2, suspended: 1, revoked: 1, expired: 4 }, 'the count later');
      const revoked = { ...fixtures.passports('plain', { status: 'revoked' }), version: 2 };
      await written(storage, replace('passports', revoked, 1));
      assertEqual(
        await at(0),
        { active: 2, suspended: 2, revoked: 2, expired: 2 },
        'the count after a change',
      );
    },
  ],
  [
    'thousands of passports count once each, in however many pieces',
    async (storage) => {
      const states = [{}, { status: 'revoked' }, { status: 'suspended' }, { expires_at: instant(-1) }];
      const number = 4_800;
      for (let from = 0; from < number; from += 200) {
        const passports = Array.from({ length: 200 }, (_, at) =>
          fixtures.passports(`agent-${String(from + at).padStart(4, '0')}`, states[(from + at) % 4] ?? {}),
        );
        await written(storage, ...passports.map((passport) => insert('passports', passport)));
      }
      const each = number / 4;
      const expected = { active: each, suspended: each, revoked: each, expired: each };
      assertEqual(await countPassports(storage, 'acc_a', NOW), expected, 'the count');
      assertEqual(await countPassports(storage, 'acc_b', NOW), none, 'the count of another account');
    },
  ],
];

/**
 * Tests counts of passports, if the storage counts them. Each passport counts once, by its status at the instant for
 * which the count is requested.
 */
export const passportCounts: readonly Claim[] = claims.map(([name, prove]) => [
  name,
  async (storage) => (canCount(storage) ? prove(storage) : undefined),
]);

function canCount(storage: StorageAdapter): storage is Counting {
  return storage.countPassports !== undefined;
}

async function countPassports(storage: Counting, account_id: string, at: string): Promise<PassportCounts> {
  const sums = { ...none };
  let from: string | undefined;
  do {
    const { next, ...piece } = await storage.countPassports(account_id, at, from);
    for (const status of ['active', 'suspended', 'revoked', 'expired'] as const)
      sums[status] += piece[status];
    from = next ?? undefined;
  } while (from !== undefined);
  return sums;
}

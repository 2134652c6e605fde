import type { Change, StorageAdapter, WriteFailure } from '../../ports/storage.ts';
import { assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import {
  add,
  claim,
  fixtures,
  holds,
  insert,
  instant,
  lacks,
  NOW,
  readAll,
  refused,
  replace,
  written,
} from './fixtures.ts';

const taken = fixtures.domains('taken.example.com');
const mine = fixtures.accounts('mine');

/** A step for each failure that causes it after `prepare` has run. */
const failing: Readonly<Record<WriteFailure, Change>> = {
  exists: insert('accounts', mine),
  claimed: claim('domains', fixtures.domains(taken.id, { account_id: 'acc_b' })),
  stale: replace('accounts', fixtures.accounts(mine.id, { version: 8 }), 7),
  limit: add('full', 1, { max: 5 }),
};

const succeeding: readonly Change[] = [
  insert('passports', fixtures.passports('new')),
  replace('accounts', fixtures.accounts(mine.id, { version: 2, plan: 'team' }), 1),
  add('used', 4),
  claim('domains', fixtures.domains('new.example.com')),
  add('full', -3),
];

const single: readonly Claim[] = [
  ['a write without steps is done', async (storage) => written(storage)],
  [
    'an insert under a taken id fails with exists and changes nothing',
    async (storage) => {
      await prepare(storage);
      await refused(
        storage,
        [insert('accounts', fixtures.accounts(mine.id, { email: 'other' }))],
        0,
        'exists',
      );
      await refused(storage, [insert('accounts', mine)], 0, 'exists');
      await assertUnchanged(storage);
    },
  ],
  [
    'a claim stores a new record',
    async (storage) => {
      await written(storage, claim('domains', taken));
      await holds(storage, 'domains', taken);
    },
  ],
  [
    'a claim by the account that holds the id does nothing, and succeeds',
    async (storage) => {
      await written(storage, claim('domains', taken));
      await written(
        storage,
        claim('domains', fixtures.domains(taken.id, { version: 9, created_at: instant(9) })),
      );
      await holds(storage, 'domains', taken);
    },
  ],
  [
    'a claim by another account fails with claimed',
    async (storage) => {
      await written(storage, claim('domains', taken));
      const other = fixtures.domains(taken.id, { account_id: 'acc_b' });
      await refused(storage, [claim('domains', other)], 0, 'claimed');
      await holds(storage, 'domains', taken);
    },
  ],
  [
    'a replace overwrites the whole record',
    async (storage) => {
      await written(
        storage,
        insert('passports', fixtures.passports('id', { description: 'old', currency: 'EUR' })),
      );
      const next = fixtures.passports('id', {
        version: 2,
        status: 'revoked',
        revoked_at: NOW,
        currency: 'USD',
      });
      await written(storage, replace('passports', next, 1));
      await holds(storage, 'passports', next);
    },
  ],
  [
    'a replace of a version that is not stored fails with stale',
    async (storage) => {
      await prepare(storage);
      for (const version of [0, 2, Number.MAX_SAFE_INTEGER]) {
        await refused(storage, [replace('accounts', fixtures.accounts(mine.id), version)], 0, 'stale');
      }
      await assertUnchanged(storage);
    },
  ],
  [
    'a replace of a missing id fails with stale and creates nothing',
    async (storage) => {
      await refused(storage, [replace('accounts', fixtures.accounts('missing'), 1)], 0, 'stale');
      await lacks(storage, 'accounts', 'missing');
    },
  ],
  [
    'a replace may move a record to another account, and lists follow',
    async (storage) => {
      await written(storage, insert('domains', taken));
      assertEqual(await readAll(storage, 'domains', { account_id: 'acc_a' }, 10), [taken.id], 'before');
      const moved = fixtures.domains(taken.id, { account_id: 'acc_b', version: 2 });
      await written(storage, replace('domains', moved, 1));
      assertEqual(await readAll(storage, 'domains', { account_id: 'acc_a' }, 10), [], 'the old account');
      assertEqual(
        await readAll(storage, 'domains', { account_id: 'acc_b' }, 10),
        [taken.id],
        'the new account',
      );
    },
  ],
];

const several: readonly Claim[] = [
  ...(Object.keys(failing) as WriteFailure[]).flatMap((failure) =>
    succeeding.map(
      (_change, step): Claim => [
        `a step ${step} that fails with ${failure} leaves nothing of the others`,
        async (storage) => {
          await prepare(storage);
          const changes = [...succeeding.slice(0, step), failing[failure], ...succeeding.slice(step)];
          await refused(storage, changes, step, failure);
          await assertUnchanged(storage);
        },
      ],
    ),
  ),
  [
    'all steps are done together',
    async (storage) => {
      await prepare(storage);
      await written(storage, ...succeeding);
      await holds(storage, 'passports', fixtures.passports('new'));
      await holds(storage, 'accounts', fixtures.accounts(mine.id, { version: 2, plan: 'team' }));
      await holds(storage, 'domains', fixtures.domains('new.example.com'));
      assertEqual(await storage.count('used', NOW), 4, 'the counter used');
      assertEqual(await storage.count('full', NOW), 2, 'the counter full');
    },
  ],
  [
    'the first of two failing steps is named',
    async (storage) => {
      await prepare(storage);
      await refused(storage, [add('used', 1), failing.limit, failing.exists], 1, 'limit');
      await refused(storage, [add('used', 1), failing.exists, failing.limit], 1, 'exists');
      await assertUnchanged(storage);
    },
  ],
  [
    'a step sees an insert before it',
    async (storage) => {
      const first = fixtures.passports('id');
      const second = fixtures.passports('id', { version: 2 });
      await refused(storage, [insert('passports', first), insert('passports', first)], 1, 'exists');
      await lacks(storage, 'passports', 'id');
      await written(storage, insert('passports', first), replace('passports', second, 1));
      await holds(storage, 'passports', second);
    },
  ],
  [
    'a step sees a replace before it',
    async (storage) => {
      await prepare(storage);
      const to = (version: number): Change =>
        replace('accounts', fixtures.accounts(mine.id, { version }), version - 1);
      await refused(storage, [to(2), to(2)], 1, 'stale');
      await assertUnchanged(storage);
      await written(storage, to(2), to(3));
      await holds(storage, 'accounts', fixtures.accounts(mine.id, { version: 3 }));
    },
  ],
  [
    'a step sees a claim and an addition before it',
    async (storage) => {
      const other = fixtures.domains(taken.id, { account_id: 'acc_b' });
      await refused(storage, [claim('domains', taken), claim('domains', other)], 1, 'claimed');
      await lacks(storage, 'domains', taken.id);
      await refused(storage, [add('n', 2, { max: 3 }), add('n', 2, { max: 3 })], 1, 'limit');
      assertEqual(await storage.count('n', NOW), 0, 'the counter');
    },
  ],
  [
    'several steps on one record and one counter are taken back together',
    async (storage) => {
      await prepare(storage);
      const changes = [1, 2, 3].map((version) =>
        replace(
          'accounts',
          fixtures.accounts(mine.id, { version: version + 1, plan: `plan ${version}` }),
          version,
        ),
      );
      await refused(storage, [...changes, add('used', 1), add('used', 2), failing.exists], 5, 'exists');
      await assertUnchanged(storage);
    },
  ],
  [
    '200 steps are one write',
    async (storage) => {
      const steps = Array.from({ length: 200 }, (_, at) => insert('domains', fixtures.domains(`d${at}`)));
      await refused(storage, [...steps, insert('domains', fixtures.domains('d0'))], 200, 'exists');
      assertEqual(await storage.list('domains', { where: {}, limit: 1 }), [], 'the list');
      await written(storage, ...steps);
      assertEqual((await readAll(storage, 'domains', {}, 1_000)).length, 200, 'the number of records');
    },
  ],
];

export const writes: readonly Claim[] = [...single, ...several];

async function prepare(storage: StorageAdapter): Promise<void> {
  await written(storage, insert('accounts', mine), claim('domains', taken), add('full', 5));
}

async function assertUnchanged(storage: StorageAdapter): Promise<void> {
  await holds(storage, 'accounts', mine);
  await holds(storage, 'domains', taken);
  await lacks(storage, 'passports', 'new');
  await lacks(storage, 'domains', 'new.example.com');
  assertEqual(await storage.count('full', NOW), 5, 'the counter full');
  assertEqual(await storage.count('used', NOW), 0, 'the counter used');
  assertEqual(await readAll(storage, 'domains', {}, 10), [taken.id], 'the list of domains');
}

import type { PassportFields } from '../../core/passports/collections.ts';
import type { CollectionName } from '../../ports/stored-records.ts';
import type { OptionalPassportField } from '../../records.ts';
import { assert, assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { add, fixtures, holds, insert, lacks, NOW, optionalFields, replace, written } from './fixtures.ts';
import { lookalikes, names, texts, values } from './hostile-data.ts';

const collections = Object.keys(fixtures) as CollectionName[];

export const roundTrips: readonly Claim[] = [
  ...collections.map(
    (name): Claim => [
      `a record of ${name} comes back as it was stored`,
      async (storage) => {
        const record = fixtures[name]('id');
        await written(storage, insert(name, record));
        await holds(storage, name, record);
      },
    ],
  ),
  ...collections.map(
    (name): Claim => [
      `${name} without the id answers undefined`,
      async (storage) => {
        await lacks(storage, name, 'missing');
        await written(storage, insert(name, fixtures[name]('there')));
        await lacks(storage, name, 'missing');
      },
    ],
  ),
  ...Object.entries(texts).map(
    ([what, text]): Claim => [
      `text is kept as id, field, element and name: ${what}`,
      async (storage) => {
        const fields = { agent_name: text, allowed_actions: [text, text], metadata: { [text]: text } };
        await written(storage, insert('passports', fixtures.passports(text.slice(0, 500), fields)));
        await holds(storage, 'passports', fixtures.passports(text.slice(0, 500), fields));
        const [found] = await storage.list('passports', { where: { agent_name: text }, limit: 2 });
        assertEqual(found?.id, text.slice(0, 500), 'the record listed by that text');
        await written(storage, add(text.slice(0, 500), 3));
        assertEqual(await storage.count(text.slice(0, 500), NOW), 3, 'the counter of that name');
      },
    ],
  ),
  ...names.map(
    (name): Claim => [
      `${JSON.stringify(name)} is an id, a counter and a name like any other`,
      async (storage) => {
        await lacks(storage, 'passports', name);
        assertEqual(await storage.count(name, NOW), 0, 'the counter before');
        const metadata = Object.fromEntries([[name, name]]);
        const record = fixtures.passports(name, { agent_name: name, metadata });
        await written(storage, insert('passports', record), add(name, 2));
        await holds(storage, 'passports', record);
        const listed = await storage.list('passports', { where: { agent_name: name }, limit: 10 });
        assertEqual(listed, [record], 'the list');
        assertEqual(await storage.count(name, NOW), 2, 'the counter');
      },
    ],
  ),
  ...Object.entries(lookalikes).map(
    ([what, [one, other]]): Claim => [
      `ids, values and counters that differ in ${what} are different`,
      async (storage) => {
        const first = fixtures.passports(one, { agent_name: one });
        const second = fixtures.passports(other, { agent_name: other });
        await written(storage, insert('passports', first), add(one, 1));
        await lacks(storage, 'passports', other);
        assertEqual(await storage.count(other, NOW), 0, 'the other counter');
        await written(storage, insert('passports', second));
        const listed = await storage.list('passports', { where: { agent_name: other }, limit: 10 });
        assertEqual(listed, [second], 'the list by the other value');
      },
    ],
  ),
  ...Object.entries(values).map(
    ([what, value]): Claim => [
      `a field of plain data keeps ${what}`,
      async (storage) => {
        const record = fixtures.passport_versions('id', { passport: value });
        const inside = fixtures.passport_versions('inside', { passport: { a: [value] } });
        await written(storage, insert('passport_versions', record), insert('passport_versions', inside));
        await holds(storage, 'passport_versions', record);
        await holds(storage, 'passport_versions', inside);
      },
    ],
  ),
  [
    'an optional field that is absent stays absent, and null stays null',
    async (storage) => {
      // Real values, empty ones included. A field that is not named here gets a value by its kind.
      const real: Partial<Pick<PassportFields, OptionalPassportField>> = {
        parent_agent_id: 'did:web:example.com:agents:parent',
        denied_actions: [],
        currency: 'EUR',
        allowed_targets: [],
        monetary_actions: [],
        approval: { above: '0.5', actions: ['pay'], seconds: 60 },
        budgets: [{ name: 'day', window: 'day', limit: '0.5', actions: ['pay'] }],
        conditions: [
          { at: '/a', in: ['b', 1.5, true, null] },
          { at: '', only: [] },
        ],
        pace: [{ name: 'pace', max: 5, seconds: 60 }],
        order: [
          {
            name: 'tested',
            actions: ['deploy.run'],
            needs: { actions: ['tests.run'], seconds: 60 },
            same: ['/commit'],
          },
        ],
        trusted_issuers: [{ issuer: 'https://idp.example', use: 'user', subjects: ['ann', 'team-*'] }],
        not_before: NOW,
        expires_at: NOW,
        description: '',
        public_keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'eA', kid: 'a', alg: 'EdDSA' }],
        proof: 'intent',
        metadata: {},
        owner: 'mem_1',
        managed_by: 'prod',
      };
      const fields = { ...optionalFields('passports'), ...real, suspended_until: NOW };
      const record = fixtures.passports('id', fields);
      await written(storage, insert('passports', record));
      await holds(storage, 'passports', record);
      const bare = fixtures.passports('id', { version: 2 });
      await written(storage, replace('passports', bare, 1));
      await holds(storage, 'passports', bare);
    },
  ],
  [
    'a list that may be null keeps null and the empty list apart',
    async (storage) => {
      const none = fixtures.keys('none', { agent_ids: null });
      const empty = fixtures.keys('empty', { agent_ids: [], scopes: [] });
      await written(storage, insert('keys', none), insert('keys', empty));
      await holds(storage, 'keys', none);
      await holds(storage, 'keys', empty);
    },
  ],
  [
    'integers are exact up to 2^53 - 1',
    async (storage) => {
      for (const version of [1, 2 ** 31, 2 ** 32 + 1, 2 ** 51 + 1, Number.MAX_SAFE_INTEGER]) {
        const record = fixtures.accounts(`v${version}`, { version, token_version: version });
        await written(storage, insert('accounts', record));
        await holds(storage, 'accounts', record);
        const next = fixtures.accounts(record.id, { version, token_version: 0 });
        await written(storage, replace('accounts', next, version));
        await holds(storage, 'accounts', next);
      }
    },
  ],
  [
    'a name in another collection is another record',
    async (storage) => {
      for (const name of collections) await written(storage, insert(name, fixtures[name]('same')));
      for (const name of collections) await holds(storage, name, fixtures[name]('same'));
    },
  ],
  [
    'the caller changes neither what it stored nor what it was given',
    async (storage) => {
      const scopes = ['verify'];
      await written(storage, insert('keys', fixtures.keys('id', { scopes })));
      scopes.push('revoke');
      const expected = fixtures.keys('id', { scopes: ['verify'] });
      await holds(storage, 'keys', expected);
      const given = [
        await storage.get('keys', 'id'),
        ...(await storage.list('keys', { where: {}, limit: 1 })),
      ];
      for (const record of given) {
        assert(record !== undefined, 'the record is missing');
        tamper(record);
      }
      await holds(storage, 'keys', expected);
      assertEqual(await storage.list('keys', { where: {}, limit: 1 }), [expected], 'the list');
    },
  ],
];

/** Changes every part of a record. A frozen part may stay unchanged. */
function tamper(record: object): void {
  for (const target of [record, Reflect.get(record, 'scopes') as object]) {
    Reflect.set(target, 'account_id', 'acc_thief');
    Reflect.set(target, '0', 'revoke');
    Reflect.deleteProperty(target, 'digest');
  }
}

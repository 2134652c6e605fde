import { expect, test } from 'vitest';
import { noSuch } from '../../src/errors.ts';
import { openService } from '../support/service.ts';

test.each(['key_0aZ', 'did:web:shop.example%3A8443:agents:shopper', 'tile/0/x001/234', 'example.com'])(
  'a thing that is missing is named by its id %s',
  (id) => expect(noSuch('key', id).message).toBe(`There is no key ${id} that you can access.`),
);

test.each([
  'ais_live_7Gk2mQ',
  'ais_manage_7Gk2mQ',
  'eyJhbGciOiJIUzI1NiJ9.e30.x',
  'ada@example.com',
  'two words',
  'a\u001b[2J',
  'x'.repeat(201),
  '',
])('a secret, an e-mail and a long text in place of an id are never named: %j', (id) =>
  expect(noSuch('key', id).message).toBe('There is no key with this id that you can access.'),
);

test('a thing of another account is refused in the same words as a missing thing', async () => {
  const { service } = openService();
  const { id } = await service.keys.create({ name: 'a' }, { account_id: 'acc_a' });
  const refusal = (wanted: string) =>
    service.keys.revoke(wanted, { account_id: 'acc_b' }).catch(({ code, message }) => [code, message]);
  expect(await refusal(id)).toEqual(['not_found', `There is no key ${id} that you can access.`]);
  expect(await refusal('key_nowhere')).toEqual([
    'not_found',
    'There is no key key_nowhere that you can access.',
  ]);
});

import { expect, test } from 'vitest';
import { openService } from '../support/service.ts';

test('a thing of another account is refused in the same words as a missing thing, which repeat no id', async () => {
  const { service } = openService();
  const { id } = await service.keys.create({ name: 'a' }, { account_id: 'acc_a' });
  const refusal = (wanted: string) =>
    service.keys.revoke(wanted, { account_id: 'acc_b' }).catch(({ code, message }) => [code, message]);
  const message = 'There is no key with this id that you can access.';
  for (const wanted of [id, 'key_nowhere', 'ais_live_7Gk2mQ', 'ada@example.com', 'a\u001b[2J', ''])
    expect(await refusal(wanted)).toEqual(['not_found', message]);
});

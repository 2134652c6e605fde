/** A role that the application sends counts from that request on, also at the use of an approval. */
import { describe, expect, test } from 'vitest';
import { stores } from '../../support/stores.ts';
import { openTeam, pending } from './team-stage.ts';

describe.each(stores)('a role that the application changes in %s', (_, openStore) => {
  test('is that of GET /account at once, and its approval is used', async () => {
    const { service, keyOf, request, approve, ask, person, dan } = await openTeam({ above: 100 }, openStore);
    const key = await keyOf(dan);
    await person('gil', 'viewer');
    const gil = await person('gil', 'approver');
    expect((await service.account(gil)).member).toMatchObject({ role: 'approver' });
    const id = await request(key);
    expect((await approve(id, gil)).status).toBe('approved');
    expect(await ask(key, id)).toMatchObject({ verdict: 'ALLOW' });
  });

  test('takes the approval back when it is lowered', async () => {
    const { keyOf, request, approve, ask, person, ben, dan } = await openTeam({ above: 100 }, openStore);
    const key = await keyOf(dan);
    const id = await request(key);
    await approve(id, ben);
    await person('ben', 'viewer');
    expect(await ask(key, id)).toMatchObject(pending(0, 1));
  });

  test('is stored by each of many requests at the same time, and by none that says the same', async () => {
    const { service, clock, person, ann } = await openTeam({ above: 100 }, openStore);
    await person('gil', 'viewer');
    const all = await Promise.all(Array.from({ length: 10 }, () => person('gil', 'editor')));
    const [gil = ann] = all;
    const stored = await service.members.list({}, ann);
    expect(stored.data.find(({ id }) => id === gil.member_id)).toMatchObject({ role: 'editor' });
    clock.advance(120_000);
    await person('gil', 'editor');
    const { data } = await service.audit.list({ type: 'member.updated' }, ann);
    expect(data).toHaveLength(1);
  });
});

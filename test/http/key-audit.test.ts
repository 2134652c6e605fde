import { describe, expect, test } from 'vitest';
import { firstMemberId } from '../../src/core/shared/people.ts';
import { dataOf, makeKey, openApi, signIn } from '../support/api.ts';
import { HOUR, openService } from '../support/service.ts';
import { stores } from '../support/stores.ts';

describe.each(stores)('the audit trail of a key in %s', (_, open) => {
  async function openAudit() {
    const opened = openService({ storage: await open() });
    const api = openApi(opened);
    const { token, account_id } = await signIn(opened, api);
    const show = async (id: string) => (await api.ask('GET', `/keys/${id}`, { token })).body;
    return { opened, api, token, account_id, member_id: firstMemberId(account_id), show };
  }

  test('says who made, changed and revoked it', async () => {
    const { opened, api, token, account_id, member_id, show } = await openAudit();
    const { id } = await makeKey(api, token);
    const none = { changed_at: null, changed_by: null, revoked_at: null, revoked_by: null };
    expect(await show(id)).toMatchObject({ created_by: member_id, ...none });
    opened.clock.advance(HOUR / 4);
    const at = opened.clock.instant();
    await api.ask('PATCH', `/keys/${id}`, { token, json: { name: 'b' } });
    expect(await show(id)).toMatchObject({ changed_at: at, changed_by: member_id, revoked_by: null });
    await opened.service.keys.revoke(id, { account_id, operator: true });
    expect(await show(id)).toMatchObject({ changed_by: member_id, revoked_at: at, revoked_by: 'operator' });
    await opened.service.keys.revoke(id, { account_id });
    const [listed] = dataOf(await api.ask('GET', '/keys', { token }));
    expect(listed).toMatchObject({ created_by: member_id, changed_at: at, revoked_by: 'operator' });
  });

  test('says who rotated it: the author of its successor, and of its end where that is at once', async () => {
    const { opened, api, token, account_id, member_id, show } = await openAudit();
    const { id } = await makeKey(api, token);
    await api.ask('PATCH', `/keys/${id}`, { token, json: { name: 'b' } });
    const operator = { account_id, operator: true };
    const second = await opened.service.keys.rotate(id, { grace_seconds: 60 }, operator);
    expect(await show(id)).toMatchObject({ status: 'rotating', rotated_to: second.id, revoked_by: null });
    const fresh = { created_by: 'operator', changed_at: null, changed_by: null, revoked_by: null };
    expect(await show(second.id)).toMatchObject(fresh);
    const third = await api.ask('POST', `/keys/${second.id}/rotate`, { token });
    expect(await show(second.id)).toMatchObject({ status: 'revoked', revoked_by: member_id });
    expect(await show(String(third.body['id']))).toMatchObject({ ...fresh, created_by: member_id });
  });
});

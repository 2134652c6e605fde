import { describe, expect, test } from 'vitest';
import type { PassportInput } from '../../../src/index.ts';
import { openService, PASSWORD } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

const passport = (domain: string, agent_name = 'shopper'): PassportInput => ({
  domain,
  agent_name,
  allowed_actions: [],
  monetary_limit_per_txn: 0,
});

describe.each(stores)('the claims of domains on %s', (_, open) => {
  async function openClaims() {
    const opened = openService({ storage: await open() });
    const { service } = opened;
    const account = async (email: string) => {
      const { id } = await service.accounts.create({ email, password: PASSWORD });
      return { account_id: id };
    };
    const [a, b] = [await account('a@example.com'), await account('b@example.com')];
    return { ...opened, a, b, issue: service.passports.create };
  }

  test('are listed for all accounts and for one, in pages', async () => {
    const { service, clock, a, b, issue } = await openClaims();
    for (const domain of ['one.example', 'two.example', 'three.example%3A8080']) {
      clock.advance(1);
      await issue(passport(domain), a);
    }
    const created_at = clock.instant();
    await issue(passport('b.example'), b);
    await issue(passport('three.example', 'second'), a);
    const all = await service.domains.list({ limit: 2 });
    const rest = await service.domains.list({ limit: 2, cursor: all.next_cursor ?? '' });
    const names = [...all.data, ...rest.data].map(({ domain }) => domain);
    expect(names.sort()).toEqual(['b.example', 'one.example', 'three.example', 'two.example']);
    expect((await service.domains.list({}, b)).data).toEqual([
      expect.objectContaining({ domain: 'b.example', ...b, created_at, changed_at: null, status: 'claimed' }),
    ]);
    const cursor = all.next_cursor ?? '';
    await expect(service.domains.list({ cursor }, a)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('are given up when nothing but revoked passports hold them', async () => {
    const { service, a, b, issue } = await openClaims();
    const { agent_id } = await issue(passport('shop.example%3A8080'), a);
    const claimed = { code: 'domain_claimed' };
    await expect(service.domains.release('shop.example')).rejects.toMatchObject({ code: 'conflict' });
    await expect(issue(passport('shop.example'), b)).rejects.toMatchObject(claimed);
    await service.revoke({ agent_id }, a);
    await service.domains.release('shop.example');
    await issue(passport('shop.example'), b);
    await expect(issue(passport('shop.example', 'x'), a)).rejects.toMatchObject(claimed);
    // An identity is never reassigned, also when the domain changes its owner.
    await expect(issue(passport('shop.example%3A8080'), b)).rejects.toMatchObject({ code: 'already_exists' });
  });

  test('are given up by force, and what was issued stays as it is', async () => {
    const { service, a, b, issue } = await openClaims();
    const { agent_id } = await issue(passport('shop.example'), a);
    await service.domains.release('shop.example', { force: true });
    await issue(passport('shop.example', 'other'), b);
    expect((await service.passports.get(agent_id, a)).status).toBe('active');
    expect((await service.verify({ agent_id, action: 'x' }, b)).reasons[0]?.code).toBe('agent_not_found');
  });

  test('are handed to another account', async () => {
    const { service, a, b, issue } = await openClaims();
    await issue(passport('shop.example'), a);
    expect(await service.domains.transfer('shop.example', b)).toMatchObject({ domain: 'shop.example', ...b });
    await issue(passport('shop.example', 'theirs'), b);
    await expect(issue(passport('shop.example', 'mine'), a)).rejects.toMatchObject({
      code: 'domain_claimed',
    });
    // What it signed for the domain before is revoked by this.
    expect((await service.domains.list({}, a)).data).toMatchObject([
      { domain: 'shop.example', status: 'lost' },
    ]);
  });

  test('that do not exist, and accounts that do not exist, are not found', async () => {
    const { service, a, issue } = await openClaims();
    await issue(passport('shop.example'), a);
    const missing = { code: 'not_found' };
    for (const domain of ['x.example', '', 'SHOP.example', '\0', 'shop.example%3A8080']) {
      await expect(service.domains.release(domain)).rejects.toMatchObject(missing);
      await expect(service.domains.transfer(domain, a)).rejects.toMatchObject(missing);
    }
    const nobody = { account_id: 'acc_nobody' };
    await expect(service.domains.transfer('shop.example', nobody)).rejects.toMatchObject(missing);
    expect((await service.domains.list({}, a)).data).toHaveLength(1);
  });
});

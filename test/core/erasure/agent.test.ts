/** What is left of one agent that was purged, and that the rest of its account is as it was. */
import { describe, expect, test } from 'vitest';
import { recordsIn } from '../../support/journal.ts';
import { sharedStores } from '../../support/stores.ts';
import { merged, openNode, recordsOf, type Shift, settle } from './stage.ts';
import { waitUntil } from './wait.ts';

const ALWAYS = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

describe.each(await sharedStores())('on $name', ({ open }) => {
  test('a purge leaves the id of one agent, and the records, sums and events of the others', {
    timeout: 300_000,
  }, async () => {
    const { storages, end } = await open(1);
    const [storage] = storages;
    if (storage === undefined) throw new Error('There is one.');
    const shift: Shift = { ms: 0 };
    const service = openNode(storage, shift);
    const { account_id, agents, key } = await settle(service, storage, 'vergissmich');
    const [one = '', two = '', three = ''] = agents;
    const actor = { account_id };
    await merged(storage);
    await expect(service.passports.purge(one, actor)).rejects.toMatchObject({ code: 'conflict' });
    await expect(service.passports.purge(one, { account_id: 'acc_b' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await service.revoke({ agent_id: one, reason: 'begruendung' }, actor);
    const before = await othersOf();

    await service.passports.purge(one, actor);
    const running = service.erasures.run();
    await waitUntil(async () =>
      (await storage.list('erasures', { where: {}, limit: 1 })).every(({ swept_at }) => swept_at !== null),
    );
    shift.ms += 20_000;
    await running;

    expect(await othersOf()).toEqual(before);
    const records = await recordsIn(storage, account_id);
    for (const agent_id of ['', two, three]) {
      const mine = records.filter((record) => agent_id === '' || record.agent_id === agent_id);
      const { parts } = await storage.journal.sums({
        ...{ account_id, environment: 'live', agent_id },
        parts: [{ resolution: 'day', kinds: ['verdict'], byStart: false, ...ALWAYS }],
      });
      const counted = Object.fromEntries((parts[0] ?? []).map(({ key, count }) => [key, count]));
      const allowed = mine.filter(({ verdict }) => verdict === 'ALLOW').length;
      expect(counted).toEqual({ ALLOW: allowed, DENY: mine.length - allowed });
    }
    const part = {
      resolution: 'day',
      kinds: ['verdict', 'action', 'latency'],
      byStart: false,
      ...ALWAYS,
    } as const;
    const of = { account_id, environment: 'live', parts: [part] } as const;
    expect((await storage.journal.sums({ ...of, agent_id: one })).parts).toEqual([[]]);
    const all = JSON.stringify(await storage.journal.sums({ ...of, agent_id: '' }));
    expect(all).toContain('handlung.vergissmich.two');
    expect(all).not.toContain('handlung.vergissmich.one');
    const left = (await recordsOf(storage)).filter(([, record]) => JSON.stringify(record).includes(one));
    // Its place in the status list shows it as revoked, and the event of the purge says who purged it.
    expect([...new Set(left.map(([name]) => name))].sort()).toEqual(['events', 'passports', 'status_slots']);
    expect(left.flatMap(([name, { type, data }]) => (name === 'events' ? [[type, data]] : []))).toEqual([
      ['passport.purged', { agent_id: one, changed_by: account_id }],
    ]);
    const audited = (await service.audit.list({ type: 'passport.purged' }, actor)).data;
    expect(audited).toMatchObject([{ by: account_id, data: { agent_id: one } }]);
    expect(await service.passports.get(one, actor)).toMatchObject({
      ...{ agent_id: one, status: 'revoked', allowed_actions: [], monetary_limit_per_txn: 0 },
      ...{ revocation_reason: null, revoked_by: null },
    });
    expect((await service.passports.versions(one, {}, actor)).data).toEqual([]);
    const { data } = await service.verifications.list({ agent_id: one }, actor);
    expect(data).toEqual([]);
    for (const counter of ['used', 'held'].map(
      (kind) => `${kind}:live:lifetime::#:immer-vergissmich-one:${one}`,
    ))
      expect(await storage.count(counter, new Date().toISOString())).toBe(0);
    const again = {
      domain: 'vergissmich.example',
      agent_name: 'one',
      allowed_actions: [],
      monetary_limit_per_txn: 1,
    };
    await expect(service.passports.create(again, actor)).rejects.toMatchObject({ code: 'already_exists' });
    const verdict = await service.verifyAs(key, { agent_id: one, action: 'handlung.vergissmich.one' });
    expect(verdict.reasons.map(({ code }) => code)).toContain('agent_revoked');
    await service.close();
    await end();

    async function othersOf(): Promise<unknown> {
      const { data: found } = await service.verifications.list({ limit: 100 }, actor);
      const kept = (await recordsOf(storage as NonNullable<typeof storage>)).filter(
        ([name, record]) => !JSON.stringify(record).includes(one) && !['keys', 'erasures'].includes(name),
      );
      return { verdicts: found.filter(({ agent_id }) => agent_id !== one), kept };
    }
  });
});

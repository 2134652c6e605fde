import { describe, expect, test } from 'vitest';
import type { PassportRecord } from '../../src/core/passports/collections.ts';
import { SECRET } from '../support/service.ts';
import { AGENT, claimsOf, openSigningService, shopper } from '../support/signing.ts';

describe('places', () => {
  const slots = { where: {}, limit: 1_000 };

  test('are given with the passport, in its own write', async () => {
    const { service, storage } = openSigningService();
    await service.passports.create(shopper());
    const records = await storage.list('status_slots', slots);
    const kinds = records.map(({ id, list_id }) => id.replace(`${list_id}`, 'list').replace(/:\d+$/, ':n'));
    expect(kinds.sort()).toEqual([AGENT, 'list', 'list:n'].sort());
    const [passport] = (await storage.list('passports', slots)) as readonly PassportRecord[];
    expect(passport?.version).toBe(1);
    await expect(service.passports.create(shopper())).rejects.toMatchObject({ code: 'already_exists' });
    expect(await storage.list('status_slots', slots)).toHaveLength(3);
  });

  test('are not given in a service that signs no passports, but when one is first signed', async () => {
    const { service, storage, clock } = openSigningService({ identity: { secret: SECRET } });
    await service.passports.create(shopper());
    expect(await storage.list('status_slots', slots)).toEqual([]);
    const signing = openSigningService({ storage, clock }).service;
    const signed = await Promise.all(Array.from({ length: 20 }, () => signing.passports.sign(AGENT)));
    const places = new Set(signed.map(({ token }) => JSON.stringify(claimsOf(token)['status'])));
    expect(places.size).toBe(1);
    expect(await storage.list('status_slots', slots)).toHaveLength(3);
    expect(
      await storage.count(
        `slots:${(await storage.list('status_slots', slots))[0]?.['list_id']}`,
        clock.instant(),
      ),
    ).toBe(1);
  });

  test('that are taken are not given again: another is drawn', async () => {
    const bytes = [0, 0, 1];
    let drawn = 0;
    const random = {
      bytes: (length: number) => {
        if (length !== 3) return crypto.getRandomValues(new Uint8Array(length));
        drawn += 1;
        return Uint8Array.from(drawn < 4 ? bytes : [0, 0, drawn]);
      },
    };
    const { service } = openSigningService({ random });
    const idx = async (agent_name: string) => {
      const { agent_id } = await service.passports.create(shopper({ agent_name }));
      const { status_list } = claimsOf((await service.passports.sign(agent_id)).token)['status'] as {
        status_list: { idx: number };
      };
      return status_list.idx;
    };
    expect([await idx('a'), await idx('b')]).toEqual([1, 4]);
  });

  test('go on in a second list when the first is full, also on a node that does not know', async () => {
    const { service, storage, clock } = openSigningService();
    await service.passports.create(shopper({ agent_name: 'first' }));
    const [{ list_id } = { list_id: '' }] = await storage.list('status_slots', slots);
    const fill = { op: 'add', counter: `slots:${list_id}`, by: 499_999, at: clock.instant() } as const;
    expect(await storage.write([fill])).toMatchObject({ written: true });
    const other = openSigningService({ storage, clock }).service;
    const listOf = async (node: typeof service, agent_name: string) => {
      const { agent_id } = await node.passports.create(shopper({ agent_name }));
      return (await storage.get('status_slots', agent_id))?.['list_id'];
    };
    const [one, two] = [await listOf(service, 'second'), await listOf(other, 'third')];
    expect(one).not.toBe(list_id);
    expect(two).toBe(one);
  });
});

/** What is left of an account that was deleted: the ids of its passports, on every storage. */
import { describe, expect, test } from 'vitest';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { PASSWORD } from '../../support/service.ts';
import { sharedStores } from '../../support/stores.ts';
import { merged, openNode, recordsOf, type Shift, settle, WORDS } from './stage.ts';
import { waitUntil } from './wait.ts';

const ALWAYS = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

describe.each(await sharedStores())('on $name', ({ open }) => {
  test('an account that is deleted is out at once on every node, and nothing of it is left but its ids', {
    timeout: 300_000,
  }, async () => {
    const { storages, end } = await open(2);
    const [first, second] = storages;
    if (first === undefined || second === undefined) throw new Error('There are two.');
    const shift: Shift = { ms: 0 };
    const [service, other] = [openNode(first, shift), openNode(second, shift)];
    const mine = await settle(service, first, 'vergissmich');
    const theirs = await settle(service, first, 'behaltmich');
    const asked = { agent_id: mine.agents[0] ?? '', action: 'handlung.vergissmich.one' };
    expect((await other.verifyAs(mine.key, asked)).passport_version).toBe(2);
    await merged(first);
    const before = await snapshot(theirs.account_id);

    await expect(
      service.deleteAccount({ current_password: 'nicht-das-kennwort' }, { account_id: mine.account_id }),
    ).rejects.toMatchObject({ code: 'invalid_credentials' });
    await service.deleteAccount({ current_password: PASSWORD }, { account_id: mine.account_id });

    await expect(other.login({ email: mine.email, password: PASSWORD })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    await expect(other.authenticateSession(mine.token)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(
      service.accounts.setPassword({ email: mine.email, password: PASSWORD }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(service.accounts.enable(mine.email)).rejects.toMatchObject({ code: 'not_found' });
    await expect(service.accounts.create({ email: mine.email, password: PASSWORD })).rejects.toMatchObject({
      code: 'already_exists',
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const node of [service, other]) {
      await expect(node.verifyAs(mine.key, asked)).rejects.toMatchObject({
        code: expect.stringMatching(/^(unauthenticated|storage_unavailable)$/),
      });
      expect((await node.verify(asked)).verdict).toBe('DENY');
    }
    // What was under way when the account was closed is stored late.
    await other.passports.create(
      {
        domain: 'vergissmich.example',
        agent_name: 'late',
        allowed_actions: ['*'],
        monetary_limit_per_txn: 1,
      },
      { account_id: mine.account_id },
    );
    const states = new Set<string>();
    // Either node may take the last step.
    const running = Promise.all(
      [service, other].map((node) =>
        node.erasures.run({ onProgress: ({ state }) => void states.add(state) }),
      ),
    );
    await waitUntil(async () =>
      (await first.list('erasures', { where: {}, limit: 1 })).every(({ swept_at }) => swept_at !== null),
    );
    // Each node stores what it was asked meanwhile: in less than the 15 s that pass now at once.
    for (const node of [service, other]) await node.verifications.list({}, { account_id: mine.account_id });
    // So does a merge that has read its blocks: it would add their sums after the last sweep.
    await merged(first);
    shift.ms += 20_000;
    await running;
    expect(states).toContain('done');

    const agents = [...mine.agents, 'did:web:vergissmich.example:agents:late'];
    const left = (await recordsOf(first)).filter(([, record]) =>
      JSON.stringify(record).includes('vergissmich'),
    );
    expect(left.map(([name, { id }]) => `${name} ${id}`).sort()).toEqual(
      agents.map((id) => `passports ${id}`).sort(),
    );
    for (const [, { id, domain, agent_name, status, ...rest }] of left) {
      expect({ status, agents: agents.includes(id) }).toEqual({ status: 'revoked', agents: true });
      for (const word of [...WORDS, mine.key_id, mine.account_id])
        expect(JSON.stringify(rest)).not.toContain(word);
    }
    for (const [, record] of await recordsOf(first)) {
      expect(JSON.stringify(record)).not.toContain(mine.account_id);
      expect(JSON.stringify(record)).not.toContain(mine.key_id);
    }
    expect(await first.journal.blocks({ account_id: mine.account_id, limit: 10 })).toEqual([]);
    const part = {
      resolution: 'day',
      kinds: ['verdict', 'action', 'agent'],
      byStart: false,
      ...ALWAYS,
    } as const;
    for (const agent_id of ['', ...mine.agents]) {
      const of = { account_id: mine.account_id, environment: 'live', agent_id, parts: [part] } as const;
      expect(await first.journal.sums(of)).toEqual({ parts: [[]], unmerged: [] });
    }
    expect(await snapshot(theirs.account_id)).toEqual(before);

    // The e-mail is free again, the ids are not.
    const again = await service.accounts.create({ email: mine.email, password: PASSWORD });
    expect(again.id).toBe(mine.account_id);
    await expect(service.authenticateSession(mine.token)).rejects.toMatchObject({ code: 'unauthenticated' });
    for (const account_id of [again.id, theirs.account_id]) {
      for (const agent_name of ['one', 'late']) {
        const fields = {
          domain: 'vergissmich.example',
          agent_name,
          allowed_actions: ['*'],
          monetary_limit_per_txn: 1,
        };
        await expect(service.passports.create(fields, { account_id })).rejects.toMatchObject({
          code: 'already_exists',
        });
      }
    }
    const { key } = await service.keys.create({ name: 'new' }, { account_id: again.id });
    const verdict = await other.verifyAs(key, asked);
    expect(verdict.reasons.map(({ code }) => code)).toEqual(['agent_not_found']);
    expect((await other.verify(asked)).reasons.map(({ code }) => code)).toContain('agent_revoked');
    await Promise.all([service.close(), other.close()]);
    await end();

    async function snapshot(account_id: string): Promise<unknown> {
      const { data } = await service.verifications.list({ limit: 100 }, { account_id });
      const { overview, top_actions } = await service.analytics({}, { account_id });
      const records = (await recordsOf(first as StorageAdapter)).filter(
        ([name, record]) =>
          record.account_id === account_id &&
          !['webhook_deliveries', 'webhooks', 'keys', 'idempotency'].includes(name),
      );
      return { data, overview, top_actions, records };
    }
  });
});

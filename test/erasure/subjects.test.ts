/** The subject of an intent: recorded, found, approved for itself alone, and erased on every storage. */
import { describe, expect, test } from 'vitest';
import { createToolGuard } from '../../src/guard/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { openNode } from '../core/erasure/stage.ts';
import { openService } from '../support/service.ts';
import { sharedStores } from '../support/stores.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

const PASSPORT = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['*'],
  monetary_limit_per_txn: 100,
  approval: { actions: ['payments.*'] },
};
const ORDER = { agent_id: AGENT, action: 'orders.get' };
const [MINE, OTHER] = ['user-größe-4711', 'user-4712'];

/** Whether a text is in the bytes of any block of the account. */
async function isInBlocks({ journal }: StorageAdapter, account_id: string, text: string): Promise<boolean> {
  const headers = await journal.blocks({ account_id, limit: 256 });
  const wanted = Buffer.from(text);
  for (let at = 0; at < headers.length; at += 16) {
    for (const block of await journal.load(headers.slice(at, at + 16))) {
      const { data, erasable, filter } = block ?? {};
      if ([data, erasable, filter].some((bytes) => Buffer.from(bytes ?? []).includes(wanted))) return true;
    }
  }
  return false;
}

describe.each(await sharedStores())('on $name', ({ open }) => {
  test('a subject is found, and erased from records and approvals of its account alone', async () => {
    const { storages, end } = await open(1);
    const [storage] = storages;
    if (storage === undefined) throw new Error('There is one.');
    const service = openNode(storage, { ms: 0 });
    const newAccount = async (email: string) =>
      (await service.accounts.create({ email, password: 'Ein-Gutes-Kennwort-7' })).id;
    const mine = await newAccount('one@example.com');
    const theirs = await newAccount('two@example.com');
    await service.passports.create(PASSPORT, { account_id: mine });
    const ask = (subject: string | undefined, account_id = mine) =>
      service.verify({ ...ORDER, ...(subject !== undefined && { subject }) }, { account_id });
    for (let round = 0; round < 3; round += 1) {
      for (const subject of [MINE, OTHER, undefined]) {
        const record = await ask(subject);
        expect([record.subject, record.approval_id, record.hold_seconds]).toEqual([
          subject ?? null,
          null,
          null,
        ]);
      }
      await ask(MINE, theirs);
      // A block for each round.
      await service.verifications.list({ limit: 1 }, { account_id: mine });
    }
    const asked = await service.verify(
      { ...ORDER, action: 'payments.create', subject: MINE },
      { account_id: mine },
    );
    const approval_id = `${asked.reasons[0]?.['approval_id']}`;
    const listed = async (subject: string, account_id = mine) =>
      (await service.verifications.list({ subject, limit: 50 }, { account_id })).data;
    expect((await listed(MINE)).length).toBe(4);
    expect((await listed(MINE, theirs)).length).toBe(3);
    expect((await listed(OTHER)).map(({ subject }) => subject)).toEqual([OTHER, OTHER, OTHER]);
    expect(await listed('user')).toEqual([]);
    expect((await service.approvals.get(approval_id, { account_id: mine })).intent?.subject).toBe(MINE);
    expect(await isInBlocks(storage, mine, MINE)).toBe(true);

    const erase = (subject: string) => service.subjects.erase({ subject }, { account_id: mine });
    expect(await erase('user-of-nobody')).toEqual({ erased: 0, has_more: false });
    const [one, two] = await Promise.all([erase(MINE), erase(MINE)]);
    const last = await erase(MINE);
    expect([one.erased + two.erased + last.erased, last.has_more]).toEqual([4, false]);
    expect(await erase(MINE)).toEqual({ erased: 0, has_more: false });
    const told = (await service.audit.list({ type: 'subject.erased' }, { account_id: mine })).data;
    expect(told.map(({ by, data }) => [by, data['account_id']])).toEqual(Array(5).fill([mine, mine]));
    expect(told.reduce((sum, { data }) => sum + Number(data['records']), 0)).toBe(4);
    expect(JSON.stringify(told)).not.toContain(MINE);
    expect((await service.audit.list({ type: 'subject.erased' }, { account_id: theirs })).data).toEqual([]);

    expect(await isInBlocks(storage, mine, MINE)).toBe(false);
    expect(await isInBlocks(storage, theirs, MINE)).toBe(true);
    expect(await listed(MINE)).toEqual([]);
    expect((await listed(MINE, theirs)).length).toBe(3);
    expect((await listed(OTHER)).length).toBe(3);
    const { data } = await service.verifications.list({ limit: 50 }, { account_id: mine });
    const gone = data.filter(({ subject_erased }) => subject_erased);
    expect(gone.map(({ subject }) => subject)).toEqual([null, null, null, null]);
    expect(data.filter((record) => 'subject_erased' in record).length).toBe(4);
    // The digest stays: the approval is good for the same intent, and for no other subject.
    const approval = await service.approvals.get(approval_id, { account_id: mine });
    expect([approval.status, 'subject' in (approval.intent ?? { subject: MINE })]).toEqual([
      'pending',
      false,
    ]);
    await service.approvals.approve(approval_id, {}, { account_id: mine });
    const paid = { ...ORDER, action: 'payments.create', approval_id };
    const denied = await service.verify({ ...paid, subject: OTHER }, { account_id: mine });
    expect(denied.reasons.map(({ code }) => code)).toEqual(['approval_mismatch']);
    const allowed = await service.verify({ ...paid, subject: MINE }, { account_id: mine });
    expect([allowed.verdict, allowed.approval_id]).toEqual(['ALLOW', approval_id]);
    await service.close();
    await end();
  });
});

describe('a subject', () => {
  test('is refused unless it has 1 to 256 characters, none of them a control character', async () => {
    const { api, token, verify } = await openVerdictStage();
    const wrong = [
      '',
      'a'.repeat(257),
      'a\u0000',
      '\u001f',
      'a\u007fb',
      '\u009f',
      'a\ud800',
      '\udc00b',
      7,
      null,
      {},
    ];
    for (const subject of wrong) {
      expect([subject, (await verify({ subject })).status]).toEqual([subject, 400]);
      const erased = await api.ask('POST', '/subjects/erase', { token, json: { subject } });
      expect([subject, erased.status]).toEqual([subject, 400]);
    }
    for (const subject of ['a', 'ä'.repeat(256), '\u{1f600}', ' ', '\u0020\u00a0']) {
      const { status, body } = await verify({ subject });
      expect([status, body['subject']]).toEqual([200, subject]);
    }
    expect((await api.ask('POST', '/subjects/erase', { token, json: { subject: 'a' } })).body).toEqual({
      erased: 1,
      has_more: false,
    });
  });

  test('is put into each intent by a guard, and a value that cannot be one denies the call', async () => {
    const { service } = openService();
    const { id: account_id } = await service.accounts.create({
      email: 'a@example.com',
      password: 'Ein-Gutes-Kennwort-7',
    });
    await service.passports.create({ ...PASSPORT, approval: { actions: ['none'] } }, { account_id });
    const subjectOf = async (subject: unknown) => {
      const guard = createToolGuard({ verifier: service, agentId: AGENT, subject: subject as string });
      const { record, ...verdict } = await guard.judge({ name: 'orders', args: { subject: 'of the model' } });
      return record?.subject ?? ('reasons' in verdict ? verdict.reasons[0]?.code : null);
    };
    expect(await subjectOf('user-1')).toBe('user-1');
    expect(await subjectOf(() => 'user-2')).toBe('user-2');
    expect(await subjectOf(() => undefined)).toBe(null);
    for (const wrong of [
      () => 7,
      () => '',
      () => null,
      () => 'a'.repeat(257),
      () => {
        throw new Error();
      },
    ])
      expect(await subjectOf(wrong)).toBe('intent_unreadable');
    expect(() => createToolGuard({ verifier: service, agentId: AGENT, subject: '' })).toThrow(
      'subject must be',
    );
    await service.close();
  });
});

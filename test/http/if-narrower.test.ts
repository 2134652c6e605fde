import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { events } from '../../src/events/index.ts';
import { createIdentityService, defaultRules } from '../../src/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { expectProblem, issue } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { PATIENT_MS } from '../support/patience.ts';

const MAY = {
  domain: 'example.com',
  agent_name: 'buyer',
  allowed_actions: ['a', 'b'],
  monetary_limit_per_txn: 5,
};

async function openSubject() {
  const stage = await openStage();
  const { api, token } = stage;
  const agent = await issue(api, token, { allowed_actions: ['a', 'b'], monetary_limit_per_txn: 5 });
  const path = `/passports/${encodeURIComponent(agent)}`;
  const patch = (json: object, headers: Record<string, string>) =>
    api.ask('PATCH', path, { token, json, headers });
  return { patch, get: () => api.ask('GET', path, { token }) };
}

describe('If-Narrower', () => {
  const narrower = { 'if-narrower': 'true' };

  test('lets through a change that allows less, or the same', async () => {
    const { patch } = await openSubject();
    expect((await patch({ allowed_actions: ['a'] }, narrower)).status).toBe(200);
    expect((await patch({ description: 'Buys paper.' }, narrower)).status).toBe(200);
    expect((await patch({ description: 'Buys paper.' }, narrower)).body['version']).toBe(3);
  });

  test.each([
    ['wider', { allowed_actions: ['a', 'b', 'c'] }],
    ['crossing', { allowed_actions: ['a', 'c'] }],
  ])('refuses a change that is %s, with the comparison, and changes nothing', async (result, change) => {
    const { patch, get } = await openSubject();
    const refused = await patch(change, narrower);
    expectProblem(refused, 412, 'would_widen');
    expect(refused.body['change']).toMatchObject({
      result,
      wider: [{ code: 'action_not_allowed', intent: { action: 'c' } }],
    });
    expect((await get()).body['version']).toBe(1);
    expect((await patch(change, {})).status).toBe(200);
  });

  test.each(['yes', '', 'TRUE', '1', 'true, true'])('refuses the value %j', async (value) => {
    const { patch } = await openSubject();
    expectProblem(await patch({ allowed_actions: [] }, { 'if-narrower': value }), 400, 'invalid_request');
  });

  test('is evaluated after If-Match', async () => {
    const { patch } = await openSubject();
    const wider = { allowed_actions: ['*'] };
    expectProblem(await patch(wider, { ...narrower, 'if-match': '"9"' }), 412, 'version_mismatch');
    expectProblem(await patch(wider, { ...narrower, 'if-match': '"1"' }), 412, 'would_widen');
  });
});

describe('ifNarrower in process', () => {
  test('refuses what would let more happen, and any other value than true', async () => {
    const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
    const { agent_id } = await service.passports.create(MAY);
    const wider = service.passports.update(agent_id, { monetary_limit_per_txn: 6 }, { ifNarrower: true });
    await expect(wider).rejects.toMatchObject({
      code: 'would_widen',
      details: { change: { result: 'wider', narrower: [] } },
    });
    const odd = service.passports.update(agent_id, { allowed_actions: [] }, { ifNarrower: false as never });
    await expect(odd).rejects.toMatchObject({ code: 'invalid_request' });
    const fine = await service.passports.update(
      agent_id,
      { monetary_limit_per_txn: 4 },
      { ifNarrower: true },
    );
    expect(fine.version).toBe(2);
    await service.close();
  });

  test('compares with the version that is replaced, even if another change comes in between', async () => {
    const inner = memoryStorage();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const storage: StorageAdapter = {
      ...inner,
      async write(changes) {
        const first = meanwhile;
        meanwhile = undefined;
        await first?.();
        return inner.write(changes);
      },
    };
    const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage });
    const { agent_id } = await service.passports.create({ ...MAY, monetary_limit_per_txn: 10 });
    meanwhile = () => service.passports.update(agent_id, { monetary_limit_per_txn: 3 });
    const late = service.passports.update(agent_id, { monetary_limit_per_txn: 5 }, { ifNarrower: true });
    await expect(late).rejects.toMatchObject({ code: 'would_widen' });
    expect((await service.passports.get(agent_id)).monetary_limit_per_txn).toBe(3);
    await service.close();
  });

  test('takes a change of the texts that rules of the application may read as crossing', async () => {
    const rules = [...defaultRules, () => undefined];
    const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage(), rules });
    const { agent_id } = await service.passports.create({ ...MAY, metadata: { team: 'a' } });
    for (const patch of [{ description: 'x' }, { metadata: { team: 'b' } }]) {
      await expect(service.passports.update(agent_id, patch, { ifNarrower: true })).rejects.toMatchObject({
        details: { change: { result: 'crossing', wider: [{ code: 'rule_failed', intent: null }] } },
      });
    }
    await service.passports.update(
      agent_id,
      { allowed_actions: ['a'], metadata: { team: 'a' } },
      { ifNarrower: true },
    );
    await service.close();
  });
});

test('the event of a change says whether it lets more happen', async () => {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    capabilities: [events()],
  });
  const { agent_id } = await service.passports.create(MAY);
  const changes = [
    { allowed_actions: ['a'] },
    { allowed_actions: ['a', 'b'] },
    { allowed_actions: ['b', 'c'] },
    { description: 'x' },
  ];
  const stream = await service.events.open({ types: ['passport.updated'] });
  for (const change of changes) await service.passports.update(agent_id, change);
  const words: unknown[] = [];
  for await (const event of stream) {
    words.push(Reflect.get(event.data, 'change'));
    if (words.length === changes.length) break;
  }
  expect(words).toEqual(['narrower', 'wider', 'crossing', 'equal']);
  await service.close();
});

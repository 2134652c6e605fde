import { describe, expect, test } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import type { Outcome, OutcomeInput } from '../../../src/records/outcome.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { MINUTE, openService } from '../../support/service.ts';

const OWNER = { account_id: 'acc_1' };
const PASSPORT = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['orders.read'],
  monetary_limit_per_txn: 0,
} as const;

async function openStage() {
  const opened = openService();
  const { service } = opened;
  const { agent_id } = await service.passports.create(PASSPORT, OWNER);
  const ask = (caller: object = {}) =>
    service.verify({ agent_id, action: 'orders.read' }, { ...OWNER, ...caller });
  const report = (record: VerdictRecord, outcome: Outcome, more: Partial<OutcomeInput> = {}, caller = {}) => {
    const { decision_id, evaluated_at } = record;
    const input = { decision_id, evaluated_at, agent_id, outcome, ...more };
    return service.outcomes.report([input], { ...OWNER, ...caller });
  };
  return { ...opened, agent_id, ask, report };
}

async function outcomesOf(service: IdentityService, query: object = {}) {
  const { data } = await service.verifications.list({ limit: 100, ...query }, OWNER);
  return data.map(({ decision_id, outcome }) => [decision_id, outcome?.outcome ?? null]);
}

describe('the list shows of a verdict', () => {
  test('the report that came, with its code, its key and its time, and null without one', async () => {
    const { service, clock, ask, report } = await openStage();
    const [told, silent] = [await ask(), await ask()];
    clock.advance(MINUTE);
    await report(told, 'failed', { code: 'timeout' }, { key_id: 'key_1' });
    const { data } = await service.verifications.list({}, OWNER);
    const shown = new Map(data.map(({ decision_id, outcome }) => [decision_id, outcome]));
    const reported_at = clock.instant();
    expect(shown.get(told.decision_id)).toEqual({
      ...{ outcome: 'failed', code: 'timeout', reported_at, key_id: 'key_1' },
    });
    expect(shown.get(silent.decision_id)).toBeNull();
  });

  test('the first report that is not unknown, whatever comes after it', async () => {
    const { service, clock, ask, report } = await openStage();
    const record = await ask();
    for (const outcome of ['unknown', 'failed', 'succeeded', 'unknown'] as const) {
      await report(record, outcome);
      clock.advance(1);
    }
    expect(await outcomesOf(service)).toEqual([[record.decision_id, 'failed']]);
  });

  test('no report of another agent, environment or instant', async () => {
    const { service, ask, report } = await openStage();
    const other = await service.passports.create({ ...PASSPORT, agent_name: 'other' }, OWNER);
    const record = await ask();
    await report(record, 'failed', { agent_id: other.agent_id });
    await report(record, 'failed', {}, { environment: 'test' });
    await report(record, 'failed', {
      evaluated_at: new Date(Date.parse(record.evaluated_at) - 1).toISOString(),
    });
    const last = record.decision_id.endsWith('Z') ? 'Y' : 'Z';
    await report(record, 'failed', { decision_id: `${record.decision_id.slice(0, -1)}${last}` });
    expect(await outcomesOf(service)).toEqual([[record.decision_id, null]]);
  });
});

test('a filter finds the verdicts of one state, over many blocks and pages', async () => {
  const { service, clock, ask, report } = await openStage();
  const states = ['succeeded', 'failed', 'not_attempted', 'unknown', 'none'] as const;
  const expected = new Map<string, string[]>(states.map((state) => [state, []]));
  for (let count = 0; count < 60; count += 1) {
    const record = await ask();
    const state = states[(count * 7) % 5] ?? 'none';
    expected.get(state)?.unshift(record.decision_id);
    clock.advance(MINUTE);
    if (state !== 'none') await report(record, state);
    if (count % 5 === 0) await service.verifications.list({ limit: 1 }, OWNER);
  }
  await service.verify({ agent_id: 'did:web:x.example:agents:x', action: 'orders.read' }, OWNER);
  await service.verify({ agent_id: (await ask()).agent_id, action: 'orders.read', dry_run: true }, OWNER);
  const [latest] = (await service.verifications.list({ verdict: 'ALLOW', dry_run: false }, OWNER)).data;
  expected.get('none')?.unshift(latest?.decision_id ?? '');
  for (const state of states) {
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await service.verifications.list(
        { outcome: state, limit: 5, ...(cursor && { cursor }) },
        OWNER,
      );
      found.push(...page.data.map(({ decision_id }) => decision_id));
      cursor = page.next_cursor;
    }
    expect({ state, found }).toEqual({ state, found: expected.get(state) });
    let csv = '';
    for await (const text of await service.verifications.csv({ outcome: state }, OWNER)) csv += text;
    const lines = csv.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[0])).toEqual(found);
    for (const line of lines) expect(line.split(',').at(-6)).toBe(state === 'none' ? '' : state);
  }
  const none = await service.verifications.list({ outcome: 'none', verdict: 'DENY' }, OWNER);
  expect(none).toEqual({ data: [], has_more: false, next_cursor: null });
  await expect(service.verifications.list({ outcome: 'done' as 'none' }, OWNER)).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('a page comes short, never late or wrong, where more blocks overlap than are loaded at a time', async () => {
  const { service, clock, ask, report } = await openStage();
  const records: VerdictRecord[] = [];
  for (let count = 0; count < 70; count += 1) {
    records.unshift(await ask());
    clock.advance(1_000);
  }
  for (const record of records) {
    await report(record, 'succeeded');
    // A block for each report.
    await service.verifications.list({ limit: 1 }, OWNER);
  }
  const found: (readonly [string, string | null])[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await service.verifications.list({ limit: 100, ...(cursor && { cursor }) }, OWNER);
    found.push(...page.data.map((one) => [one.decision_id, one.outcome?.outcome ?? null] as const));
    cursor = page.next_cursor;
  }
  expect(found).toEqual(records.map(({ decision_id }) => [decision_id, 'succeeded']));
});

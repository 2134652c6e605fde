import { expect, test } from 'vitest';
import { AUDIT_TYPES, EVENT_TYPES } from '../../src/base/values/vocabulary.ts';
import { type OcsfSource, ocsfLine } from '../../src/ocsf/index.ts';
import type { AuditEntry } from '../../src/records/audit.ts';
import { createRandom } from '../support/random.ts';
import { openService } from '../support/service.ts';
import { HOSTILE, sampleOf, VERDICT } from './samples.ts';
import { problemsOf } from './validator.ts';

/** Every character at which a reader could end a line or a text, or that shows nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

function read(record: OcsfSource): Readonly<Record<string, unknown>> {
  const line = ocsfLine(record);
  expect(line).not.toMatch(INVISIBLE);
  const event = JSON.parse(line);
  expect(problemsOf(event)).toEqual([]);
  expect(JSON.stringify([event.message, event.status_detail])).not.toContain('MARK');
  return event;
}

/** Returns the event as an entry of the audit. */
function entryOf(type: (typeof AUDIT_TYPES)[number]): AuditEntry {
  const { id, timestamp, data } = sampleOf(type);
  const { changed_by: by = null, ...rest } = data as { readonly changed_by?: string };
  return { id, type, timestamp, by, data: rest };
}

test.each(EVENT_TYPES)('%s is valid as an event, with hostile texts, and says its type', (type) => {
  const event = read(sampleOf(type));
  expect(event).toMatchObject({ metadata: { event_code: type } });
});

test.each(AUDIT_TYPES.filter((type) => type !== 'member.signed_in'))(
  '%s is the same line from the audit as from the stream',
  (type) => {
    expect(ocsfLine(entryOf(type))).toBe(ocsfLine(sampleOf(type)));
  },
);

test.each([
  ['passport.created', 300401, 1, { type: 'Passport', uid: 'did:web:example.com:agents:shopper' }],
  ['passport.updated', 300403, 3, { type: 'Passport' }],
  ['passport.purged', 300404, 1, { type: 'Passport' }],
  ['passport.suspended', 300412, 1, { type: 'Passport' }],
  ['passport.reinstated', 300413, 1, { type: 'Passport' }],
  ['account.enabled', 300408, 1, { type: 'Account', uid: 'acc_1' }],
  ['account.disabled', 300409, 1, { type: 'Account' }],
  ['domain.released', 300404, 1, { type: 'Domain', uid: 'example.com' }],
  ['webhook.removed', 300404, 1, { type: 'Webhook', uid: 'whk_1' }],
  ['key.rotated', 300499, 1, { type: 'API Key', uid: 'key_2' }],
  ['member.removed', 300404, 1, { type: 'Member', uid: 'mem_2' }],
  ['approval.decided', 300499, 1, { type: 'Approval', uid: 'apr_1' }],
  ['spend.settled', 300499, 1, { type: 'Spend', uid: 'dec_1' }],
  ['budget.threshold', 300499, 1, { type: 'Passport' }],
] as const)('%s has the type %d, the severity %d and its entity', (type, type_uid, severity_id, entity) => {
  expect(read(sampleOf(type))).toMatchObject({ type_uid, severity_id, entity: { ...entity, type_id: 99 } });
});

test('names a person as the user and a key as the application', () => {
  expect(read(sampleOf('passport.created'))['actor']).toEqual({ user: { uid: 'mem_1' } });
  expect(read(sampleOf('key.created'))['actor']).toEqual({ app_uid: 'key_1' });
  expect(read(sampleOf('spend.settled'))['actor']).toBeUndefined();
});

test('shows a sign-in as class 3002, a gap, a test and an unknown type as class 0', () => {
  expect(read(sampleOf('member.signed_in'))).toMatchObject({ type_uid: 300201, user: { uid: 'mem_2' } });
  const other = (type: string) =>
    read({ ...sampleOf('passport.created'), type } as unknown as ReturnType<typeof sampleOf>);
  expect(other('events.gap')).toMatchObject({ class_uid: 0, severity_id: 3 });
  expect(other('webhook.test')).toMatchObject({ class_uid: 0, severity_id: 1 });
  expect(other('constructor')).toMatchObject({ class_uid: 0, severity_id: 1 });
});

test('shows a verdict as class 6003, with the texts of the caller in their own members only', () => {
  expect(read(VERDICT)).toMatchObject({
    ...{ type_uid: 600399, activity_name: 'Verify', time: Date.parse(VERDICT.evaluated_at) },
    ...{ status_id: 2, action_id: 2, disposition_id: 2, severity_id: 2 },
    ...{ status_code: 'action_not_allowed', message: 'DENY: action_not_allowed' },
    metadata: { uid: 'dec_1', correlation_uid: VERDICT.trace_id, profiles: ['security_control'] },
    actor: { app_uid: VERDICT.agent_id, user: { uid: HOSTILE } },
    api: { operation: HOSTILE, request: { uid: HOSTILE } },
    src_endpoint: { uid: 'key_1' },
    resources: [{ uid: HOSTILE }],
    unmapped: { verdict: 'DENY', amount: '0.000001', currency: 'EUR', passport_version: 3, budgets: [] },
  });
  expect(read(sampleOf('verdict.allowed'))).toMatchObject({
    ...{
      status_id: 1,
      action_id: 1,
      disposition_id: 1,
      severity_id: 1,
      status_code: 'ALLOW',
      message: 'ALLOW',
    },
    src_endpoint: { uid: 'in_process' },
  });
});

test('is valid for 1,000 records of a service', async () => {
  const seed = Date.now() % 1_000_000;
  const random = createRandom(seed);
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const { service } = openService();
  const account_id = 'acc_1';
  const passport = await service.passports.create(
    {
      domain: 'example.com',
      agent_name: 'shopper',
      allowed_actions: ['orders.*', 'payments.create'],
      monetary_limit_per_txn: '100',
      monetary_actions: ['payments.create'],
      currency: 'EUR',
      budgets: [{ window: 'day', limit: '200', actions: ['payments.create'] }],
    },
    { account_id },
  );
  for (let count = 0; count < 1_000; count += 1) {
    const subject = one([undefined, 'user-1', 'a\u2028b\u202e']);
    const target = one([undefined, 'did:web:shop.example', HOSTILE.slice(0, 20)]);
    const amount = one([undefined, '1.5', 2, '1000', 'x']);
    const intent = {
      agent_id: one([passport.agent_id, 'did:web:example.com:agents:nobody', HOSTILE]),
      action: one(['orders.list', 'payments.create', 'refunds.create', HOSTILE]),
      ...(subject && { subject }),
      ...(target && { target }),
      parameters: { ...(amount !== undefined && { amount }), currency: one(['EUR', 'x']) },
      dry_run: random() < 0.1,
    };
    await service.verify(intent, { account_id, request_id: one(['r-1', null]) as string });
  }
  let seen = 0;
  const verdicts = new Set<unknown>();
  for await (const { data } of service.verifications.list({ limit: 100 }, { account_id }))
    for (const record of data) {
      seen += 1;
      verdicts.add(read(record)['status_code']);
    }
  console.log(`seed ${seed}: ${seen} records, ${[...verdicts].join(' ')}`);
  expect(seen).toBe(1_000);
  expect(verdicts.size).toBeGreaterThan(3);
});

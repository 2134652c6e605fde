import { describe, expect, test } from 'vitest';
import type { AccountRecord, SessionRecord } from '../../src/core/accounts/collections.ts';
import type { EventRecord } from '../../src/core/events/collections.ts';
import type { LoginRecord, MemberRecord } from '../../src/core/members/collections.ts';
import type { PassportRecord } from '../../src/core/passports/collections.ts';
import type { LogEntryRecord, LogHeadRecord, LogTileRecord } from '../../src/evidence/collections.ts';
import type { PassportInput, PassportPatch } from '../../src/index.ts';
import type { ApprovalRecord, StoredRecord } from '../../src/ports/index.ts';
import { optionalFields } from '../../src/schema/passport.ts';
import type { OptionalPassportField } from '../../src/types.ts';
import { ED25519_KEYS, P256_KEYS } from '../support/agent-keys.ts';
import { openLocalService } from '../support/service.ts';
import { openOne, sharedStores } from '../support/stores.ts';

/** The compiler asks for a value of a field that is new. */
const FULL: Required<PassportInput> = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['orders.*'],
  monetary_limit_per_txn: 100,
  parent_agent_id: 'did:web:shop.example:agents:parent',
  denied_actions: ['orders.delete'],
  currency: 'EUR',
  allowed_targets: ['did:web:till.example'],
  monetary_actions: ['orders.pay'],
  budgets: [{ name: 'orders', window: 'day', count: 100, actions: ['orders.*'] }],
  conditions: [{ actions: ['orders.pay'], at: '/note', in: ['paper', 1.5, true, null] }],
  pace: [{ name: 'pace', actions: ['orders.*'], max: 5, seconds: 60 }],
  order: [
    {
      name: 'paid',
      actions: ['orders.ship'],
      needs: { actions: ['orders.pay'], seconds: 60 },
      same: ['session', '/order'],
    },
    { name: 'stop', actions: ['orders.*'], forbids: { actions: ['orders.pay'], seconds: 60, failed: 3 } },
  ],
  trusted_issuers: [
    {
      issuer: 'https://cluster.example',
      use: 'workload',
      keys: [{ ...ED25519_KEYS[0], kid: 'one' }],
      subjects: ['system:serviceaccount:shop:*'],
      max_agents: 5,
      reuse: true,
    },
    { issuer: 'https://idp.example', use: 'user' },
  ],
  approval: { actions: ['orders.pay'], seconds: 600, count: 2, by: 'another', changes: false },
  not_before: '2026-01-31T09:00:00.000Z',
  expires_at: '2099-01-31T09:00:00.000Z',
  description: 'buys paper',
  public_keys: [...ED25519_KEYS, ...P256_KEYS],
  proof: 'optional',
  metadata: { team: 'purchasing' },
  owner: 'the sales team',
  managed_by: 'prod',
};

const AGENT = 'did:web:shop.example:agents:shopper';
const BASE = { account_id: 'acc_a', version: 1, created_at: '2026-01-31T09:00:00.000Z' };
const AT = '2026-01-31T10:00:00.000Z';

/** The compiler asks for a value of a field that is new. */
const RECORDS: {
  readonly accounts: Required<AccountRecord>;
  readonly sessions: Required<SessionRecord>;
  readonly members: Required<MemberRecord>;
  readonly logins: Required<LoginRecord>;
  readonly events: Required<EventRecord>;
  readonly log_heads: Required<LogHeadRecord>;
  readonly log_entries: Required<LogEntryRecord>;
  readonly log_tiles: Required<LogTileRecord>;
  readonly passports: PassportRecord;
  readonly approvals: Required<ApprovalRecord>;
} = {
  accounts: {
    ...{ ...BASE, id: 'acc_a', email: 'ann@example.com', external_id: 'org-7', name: 'Ann Ltd' },
    ...{ plan: 'team', token_version: 2, disabled_at: AT, erased_at: AT },
    ...{ created_by: 'operator', changed_at: AT, changed_by: 'mem_a' },
  },
  sessions: {
    ...{ ...BASE, id: 'ses_a', member_id: 'mem_a', member_version: 3, token_version: 2 },
    ...{ expires_at: AT, revoked_at: AT },
  },
  members: {
    ...{ ...BASE, id: 'mem_a', email: 'ann@example.com', name: 'Ann', role: 'owner', status: 'active' },
    ...{ login: 'password', login_id: 'lgn_a', link_id: 'lgn_b', token_version: 3 },
    ...{ created_by: 'operator', changed_at: AT, changed_by: 'mem_a' },
  },
  logins: {
    ...{ ...BASE, id: 'lgn_a', member_id: 'mem_a', kind: 'link', digest: '00ff', password_hash: '$scrypt$x' },
    expires_at: AT,
  },
  events: { ...{ ...BASE, id: 'e', type: 'key.created' }, expires_at: AT, due_at: AT, data: { id: 'key_a' } },
  log_heads: {
    ...{ ...BASE, id: 'acc_a', log_id: 'l', origin: 'id.example/logs/l', size: 3, edge: ['a', 'b'] },
    ...{ checkpoint: 'a\n\n— b\n', positions: { w: [7, 2] }, begun_at: AT, appended_at: AT, ended_at: AT },
  },
  log_entries: {
    ...{ ...BASE, id: 'l:2', log_id: 'l', leaf_index: 2, subject: 'w.7', entry: '{"v":1}', expires_at: AT },
  },
  log_tiles: { ...BASE, id: 'l:0:0', log_id: 'l', hashes: 'a' },
  passports: {
    ...{ ...BASE, id: AGENT, updated_at: AT, domain: 'shop.example', agent_name: 'shopper' },
    ...{ allowed_actions: [], monetary_limit_per_txn: '0', status: 'active', suspended_until: null },
    ...{ suspended_by: null, suspension_reason: null, revoked_at: null, revoked_by: null },
    ...{ revocation_reason: null, widened_by: 'mem_a', widened_at: AT },
    ...{ reviewed_version: 1, authors: ['mem_a', 'mem_b'] },
  },
  approvals: {
    ...{ ...BASE, id: 'apr_a', agent_id: AGENT, environment: 'live', digest: '00ff', round: 0 },
    ...{ status: 'used', intent: {}, reasons: [{ code: 'approval_required' }], expires_at: AT, due_at: AT },
    ...{ decided_by: 'mem_b', decided_at: AT, note: 'yes', decision_id: 'dec_a', kind: 'change', needed: 2 },
    change: {
      patch: { currency: null },
      since: 1,
      difference: [],
      version: 3,
      result: 'crossing',
      example: { intent: null },
    },
    ...{ by: 'another', decisions: [{ by: 'mem_b', at: AT, note: null }], requested_by: 'mem_a' },
  },
};

/** The records with null, and without what is optional, in each field that may be so. */
const BARE = {
  accounts: {
    email: null,
    external_id: null,
    name: null,
    disabled_at: null,
    created_by: null,
    erased_at: undefined,
  },
  sessions: { revoked_at: null },
  members: { email: null, name: null, login: null, login_id: null, link_id: null, created_by: null },
  logins: { password_hash: null, expires_at: undefined },
  events: { due_at: undefined },
  log_heads: { ended_at: null },
  log_entries: {},
  log_tiles: {},
  passports: { widened_by: null, widened_at: null },
  approvals: {
    ...{ due_at: undefined, decided_by: null, decided_at: null, note: null, decision_id: null },
    ...{ change: null, requested_by: null },
  },
};

const optional = Object.keys(optionalFields).filter(
  (field) => field !== 'parent_agent_id',
) as (OptionalPassportField & keyof PassportPatch)[];
describe.each(await sharedStores())('a passport in $name', (store) => {
  test('keeps every field, and a patch stores and removes each', async () => {
    const { service } = openLocalService({ storage: await openOne(store) });
    const { parent_agent_id: _, ...parent } = FULL;
    await service.passports.create({ ...parent, agent_name: 'parent' });
    const { agent_id } = await service.passports.create(FULL);
    expect(await service.passports.get(agent_id)).toMatchObject(FULL);
    for (const field of optional) {
      await service.passports.update(agent_id, { [field]: null });
      const { [field]: removed, ...others } = FULL;
      const without = await service.passports.get(agent_id);
      expect(without).toMatchObject(others);
      expect(without).not.toHaveProperty(field);
      await service.passports.update(agent_id, { [field]: removed });
      expect(await service.passports.get(agent_id)).toMatchObject(FULL);
    }
    await service.close();
  });
});

test.each(await sharedStores())(
  '$name keeps every field of people, events and logs, and each that is null or absent',
  async (store) => {
    const storage = await openOne(store);
    for (const [name, full] of Object.entries(RECORDS)) {
      const collection = name as keyof typeof RECORDS;
      const record: StoredRecord = full;
      await storage.write([{ op: 'insert', collection, record }]);
      expect(await storage.get(collection, record.id)).toEqual(record);
      const bare = JSON.parse(JSON.stringify({ ...record, ...BARE[collection], version: 2 })) as StoredRecord;
      await storage.write([{ op: 'replace', collection, record: bare, version: 1 }]);
      expect(await storage.get(collection, record.id)).toEqual(bare);
    }
    await storage.close();
  },
);

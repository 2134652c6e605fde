/** Examples of members for the OpenAPI document. */
import type { MemberRequestName, MemberResponseName } from '../../schema/member.ts';

const MADE_AT = '2026-11-20T12:00:00.000Z';
const EXPIRES_AT = '2026-11-27T12:00:00.000Z';
/** A link token of a form that no secret scanner reports. */
const TOKEN = `ais_link_${'A'.repeat(49)}`;

const TRANSACTION = 'Zm9y-the-second-step';

export const accountExample: unknown = {
  id: 'acc_5Q2bGmYwX0aNcTqLr8sVdK',
  email: 'ann@example.com',
  external_id: null,
  name: null,
  plan: 'starter',
  created_at: MADE_AT,
  usage: { active_keys: 1, passports: 1, members: 1 },
  member: { id: 'mem_5Q2bGmYwX0aNcTqLr8sVdK', email: 'ann@example.com', name: null, role: 'owner' },
  limits: { keys: 20, passports: 1_000, verifications_per_minute: 6_000, writes_per_minute: 1_200 },
};

const member = {
  id: 'mem_6rK0sKwQx2LmNb7VtR4yZa',
  email: 'ben@example.com',
  name: 'Ben',
  role: 'approver',
  status: 'invited',
  login: null,
  created_at: MADE_AT,
  created_by: 'mem_5Q2bGmYwX0aNcTqLr8sVdK',
  changed_at: null,
  changed_by: null,
};
const entry = {
  id: 'evt_0192a8f3c1d4c5Q2bGmYwX0aN',
  type: 'member.invited',
  timestamp: MADE_AT,
  by: 'mem_5Q2bGmYwX0aNcTqLr8sVdK',
  data: { member_id: 'mem_6rK0sKwQx2LmNb7VtR4yZa', role: 'approver' },
};
const link = { token: TOKEN, expires_at: EXPIRES_AT };

export const memberRequestExamples: Readonly<Record<MemberRequestName, unknown>> = {
  MemberRequest: { role: 'approver', email: 'ben@example.com', name: 'Ben' },
  MemberPatch: { role: 'editor' },
  LinkRequest: { token: TOKEN },
  AcceptRequest: { token: TOKEN, password: 'a-long-password-of-ben' },
  OidcFinishRequest: { transaction: TRANSACTION, response: '?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' },
};

export const memberResponseExamples: Readonly<Record<MemberResponseName, unknown>> = {
  Member: member,
  MemberPage: { data: [member], has_more: false, next_cursor: null },
  MemberLink: link,
  NewMember: { member, link },
  AuditEntry: entry,
  AuditPage: { data: [entry], has_more: false, next_cursor: null },
  OidcStart: {
    url: 'https://login.example.com/authorize?client_id=agent-identity',
    transaction: TRANSACTION,
  },
  ReadLink: {
    role: 'approver',
    email: 'ben@example.com',
    name: 'Ben',
    expires_at: EXPIRES_AT,
    resets: false,
  },
};

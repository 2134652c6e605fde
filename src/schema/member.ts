/** The schemas of members and their links, in requests and answers. */
import { AUDIT_TYPES, MEMBER_STATUSES, ROLES } from '../base/values/vocabulary.ts';
import type { AuditEntry } from '../records/audit.ts';
import type { Member, MemberLink, NewMember, ReadLink } from '../records/member.ts';
import { email, instant, keyName } from './fields.ts';
import { answer, closedObject, type JsonSchema, nullable, page, ref } from './json-schema.ts';

/** The names of the request schemas. */
export type MemberRequestName =
  | 'MemberRequest'
  | 'MemberPatch'
  | 'LinkRequest'
  | 'AcceptRequest'
  | 'OidcFinishRequest';

/** The names of the response schemas. */
export type MemberResponseName =
  | 'Member'
  | 'MemberPage'
  | 'MemberLink'
  | 'NewMember'
  | 'ReadLink'
  | 'OidcStart'
  | 'AuditEntry'
  | 'AuditPage';

const text: JsonSchema = { type: 'string' };
const personSchema = nullable(text);
const role: JsonSchema = { type: 'string', enum: ROLES };
const token: JsonSchema = { type: 'string', maxLength: 128, description: 'ais_link_ and 49 characters.' };

export const memberRequests: Readonly<Record<MemberRequestName, JsonSchema>> = {
  MemberRequest: closedObject({ role, email, name: keyName }, ['role'], 'The person to invite.'),
  MemberPatch: closedObject({ role, name: keyName }, [], 'What to change of a member.'),
  LinkRequest: closedObject({ token }, ['token'], 'The token of a link.'),
  AcceptRequest: closedObject(
    { token, email, password: { type: 'string', description: '12 to 128 characters, any Unicode.' } },
    ['token', 'password'],
    'How the holder of a link signs in from now on; the e-mail where the link names none.',
  ),
  OidcFinishRequest: closedObject(
    {
      transaction: { type: 'string', description: 'As POST /auth/oidc/start gave it.' },
      response: {
        type: 'string',
        description: 'The query string with which the browser came back, at most 8 KiB.',
      },
      link: token,
    },
    ['transaction', 'response'],
    'The end of a sign-in with an issuer; with the token of a link the person becomes the login of its member.',
  ),
};

/** The schema of the member that a session acts as. */
export const ownMember: JsonSchema = answer({ id: text, email: personSchema, name: personSchema, role });

export const memberResponses: Readonly<Record<MemberResponseName, JsonSchema>> = {
  Member: answer<Member>({
    id: { type: 'string', pattern: '^mem_' },
    email: personSchema,
    name: personSchema,
    role,
    status: { type: 'string', enum: MEMBER_STATUSES },
    login: nullable({ type: 'string', enum: ['password', 'oidc', 'host', null] }),
    created_at: instant,
    created_by: personSchema,
    changed_at: nullable(instant),
    changed_by: personSchema,
  }),
  MemberPage: page('Member'),
  MemberLink: answer<MemberLink>({
    token: { type: 'string', description: 'Shown this once: its holder becomes the member.' },
    expires_at: instant,
  }),
  NewMember: answer<NewMember>({ member: ref('Member'), link: ref('MemberLink') }),
  AuditEntry: answer<AuditEntry>({
    id: { type: 'string', pattern: '^evt_' },
    type: { type: 'string', enum: AUDIT_TYPES },
    timestamp: instant,
    by: personSchema,
    data: { type: 'object', description: 'Ids and states: no address, no link and no secret.' },
  }),
  AuditPage: page('AuditEntry'),
  OidcStart: answer({
    url: { type: 'string', description: 'The page of the issuer to which the browser goes.' },
    transaction: {
      type: 'string',
      description: 'Kept by the page, for POST /auth/oidc/finish within 10 minutes.',
    },
  }),
  ReadLink: answer<ReadLink>({
    role,
    email: personSchema,
    name: personSchema,
    expires_at: instant,
    resets: { type: 'boolean', description: 'Whether it replaces the login of an active member.' },
  }),
};

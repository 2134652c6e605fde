/** The schemas of requests. They are compiled ahead of time into `validators.generated.ts` of each folder. */
import { MAX_ACTION, MAX_ID } from '../base/values/field-limits.ts';
import { usage } from './budget.ts';
import { anyConditions } from './condition.ts';
import {
  agentId,
  agentIds,
  approvalId,
  email,
  environment,
  graceSeconds,
  holdSeconds,
  instant,
  keyDomains,
  keyName,
  permitRequest,
  reason,
  scopes,
  thumbprint,
  ttlSeconds,
} from './fields.ts';
import { closedObject, type JsonSchema, nullable, ref } from './json-schema.ts';
import { type MemberRequestName, memberRequests } from './member.ts';
import { anyOrders, session } from './order.ts';
import { outcomeReport } from './outcome.ts';
import { passportFields, patchFields, requiredFields } from './passport.ts';
import { replayRequest } from './replay.ts';
import { spendRequests } from './spend.ts';
import { subject } from './subject.ts';
import { type VerifierRequestName, verifierRequests } from './verifier.ts';
import { type WebhookRequestName, webhookRequests } from './webhook.ts';

export const requestSchemas: Readonly<Record<RequestName, JsonSchema>> = {
  ...memberRequests,
  LoginRequest: closedObject(
    { email: { type: 'string', maxLength: 1024 }, password: { type: 'string' } },
    ['email', 'password'],
    'Who signs in.',
  ),
  RegisterRequest: closedObject(
    { email, password: { type: 'string', description: '12 to 128 characters, any Unicode.' } },
    ['email', 'password'],
    'The account to open.',
  ),
  LogoutRequest: closedObject(
    {
      everywhere: {
        type: 'boolean',
        description: 'Whether every session of the member ends; by default only this session.',
      },
    },
    [],
    'Which sessions to end.',
  ),
  KeyRequest: closedObject(
    { name: keyName, environment, scopes, agent_ids: agentIds, domains: keyDomains, expires_at: instant },
    ['name'],
    'The key to make. Scopes default to verify and revoke; a test key may have only verify, events, decide, permit and token. A management key has no environment and needs expires_at.',
  ),
  KeyPatch: closedObject(
    { name: keyName, scopes, agent_ids: nullable(agentIds), domains: nullable(keyDomains) },
    [],
    'What to change of a key. agent_ids null: every agent of the account. Only management keys have domains.',
  ),
  KeyRotation: closedObject(
    { grace_seconds: graceSeconds, expires_at: instant },
    [],
    'How long the replaced key stays valid. Only a management key gets a new expiry.',
  ),
  PasswordChange: closedObject(
    {
      current_password: { type: 'string' },
      new_password: { type: 'string', description: '12 to 128 characters, any Unicode.' },
    },
    ['current_password', 'new_password'],
    'The password as it is and as it is to be.',
  ),
  AccountDeletion: closedObject(
    { current_password: { type: 'string' } },
    ['current_password'],
    'The password as it is.',
  ),
  PassportRequest: closedObject(
    { ...passportFields, conditions: anyConditions, order: anyOrders },
    Object.keys(requiredFields),
    'The passport to issue.',
  ),
  PassportPatch: closedObject(
    { ...patchFields, conditions: nullable(anyConditions), order: nullable(anyOrders) },
    [],
    'JSON Merge Patch (RFC 7396): null removes an optional field.',
  ),
  DomainRequest: closedObject(
    {
      domain: {
        type: 'string',
        minLength: 1,
        maxLength: 253,
        description: 'The host, without port.',
        examples: ['example.com'],
      },
    },
    ['domain'],
    'The domain to claim.',
  ),
  TryRequest: closedObject(
    { patch: ref('PassportPatch'), intent: ref('Intent') },
    ['intent'],
    'An intent to evaluate by the passport, or by the passport after the patch.',
  ),
  ReplayRequest: replayRequest,
  SignRequest: closedObject(
    { ttl_seconds: ttlSeconds, kid: thumbprint },
    [],
    'How long the token is valid, and which key of the agent it names.',
  ),
  Intent: closedObject(
    {
      agent_id: { type: 'string', minLength: 1, maxLength: MAX_ID },
      action: { type: 'string', minLength: 1, maxLength: MAX_ACTION, examples: ['payments.create'] },
      target: { type: 'string', maxLength: MAX_ID, description: 'The DID the action is aimed at.' },
      parameters: { type: 'object' },
      proof: { type: 'string' },
      dry_run: { type: 'boolean', description: 'Ask without acting.' },
      approval_id: approvalId,
      hold_seconds: holdSeconds,
      subject,
      session,
      usage,
      permit: permitRequest,
    },
    ['agent_id', 'action'],
    'An action that an agent asks to take.',
  ),
  IntentBatch: closedObject(
    { intents: { type: 'array', items: ref('Intent'), minItems: 1, maxItems: 100 } },
    ['intents'],
    'One to a hundred intents, answered in their order.',
  ),
  OutcomesRequest: closedObject(
    { outcomes: { type: 'array', items: outcomeReport, minItems: 1, maxItems: 100 } },
    ['outcomes'],
    'One to a hundred reports. One that is malformed refuses them all.',
  ),
  RevokeRequest: closedObject(
    { agent_id: agentId, reason },
    ['agent_id'],
    'The passport to revoke, permanently.',
  ),
  SuspendRequest: closedObject(
    { agent_id: agentId, reason, until: instant },
    ['agent_id'],
    'The passport to suspend, until an instant in the future or until it is reinstated.',
  ),
  ...spendRequests,
  ...verifierRequests,
  ...webhookRequests,
  ApprovalDecision: closedObject(
    { note: { ...reason, description: 'For people.' } },
    [],
    'The note of the approver.',
  ),
  SubjectRequest: closedObject({ subject }, ['subject'], 'The subject to erase.'),
  ReinstateRequest: closedObject({ agent_id: agentId }, ['agent_id'], 'The passport whose suspension ends.'),
};

/** The folders that check requests, with the names of those requests. `schema` has the requests of the core. */
export const REQUEST_FOLDERS: Readonly<Record<string, readonly RequestName[]>> = {
  schema: [
    'RegisterRequest',
    'KeyRequest',
    'KeyPatch',
    'KeyRotation',
    'PassportRequest',
    'PassportPatch',
    'TryRequest',
    // Its patch has the validator of the core.
    'ReplayRequest',
    'Intent',
    'IntentBatch',
    'OutcomesRequest',
    'RevokeRequest',
    'SuspendRequest',
    'ReinstateRequest',
    'SettleRequest',
    'CommitRequest',
    'ExtendRequest',
    'ApprovalDecision',
  ],
  erasure: ['SubjectRequest'],
  http: ['DomainRequest'],
  identity: ['SignRequest'],
  people: [
    'MemberRequest',
    'MemberPatch',
    'LinkRequest',
    'AcceptRequest',
    'OidcFinishRequest',
    'LoginRequest',
    'LogoutRequest',
    'PasswordChange',
    'AccountDeletion',
  ],
  verifiers: ['VerifierRequest', 'VerifierVerdicts'],
  webhooks: ['WebhookRequest', 'WebhookPatch', 'WebhookRotation'],
};

/** The names of the request schemas. */
export type RequestName =
  | 'LoginRequest'
  | 'RegisterRequest'
  | 'LogoutRequest'
  | 'KeyRequest'
  | 'KeyPatch'
  | 'KeyRotation'
  | 'PasswordChange'
  | 'AccountDeletion'
  | 'PassportRequest'
  | 'PassportPatch'
  | 'DomainRequest'
  | 'TryRequest'
  | 'ReplayRequest'
  | 'SignRequest'
  | 'Intent'
  | 'IntentBatch'
  | 'OutcomesRequest'
  | 'RevokeRequest'
  | 'SuspendRequest'
  | 'SettleRequest'
  | 'CommitRequest'
  | 'ExtendRequest'
  | 'ApprovalDecision'
  | 'ReinstateRequest'
  | VerifierRequestName
  | MemberRequestName
  | 'SubjectRequest'
  | WebhookRequestName;

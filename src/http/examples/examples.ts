/** Examples of every body for the OpenAPI document: one account and its agent, which may pay. */
import type { DescribedRequestName } from '../../schema/described-requests.ts';
import type { ResponseName } from '../../schema/responses.ts';
import { accessRequestExamples, accessResponseExamples } from '../access/examples.ts';
import { tokenFormExamples, tokenResponseExamples } from './access-token.ts';
import { approvalExample } from './approval.ts';
import { domainExample } from './domain.ts';
import { logResponseExamples } from './log.ts';
import { accountExample, memberRequestExamples, memberResponseExamples } from './member.ts';
import { comparisonExample, replayExample } from './replay.ts';
import { spendRequestExamples } from './spend.ts';
import { verifierRequestExamples } from './verifier.ts';
import { webhookRequestExamples, webhookResponseExamples } from './webhook.ts';

const AGENT = 'did:web:shop.example:agents:shopper';
const ACCOUNT = 'acc_5Q2bGmYwX0aNcTqLr8sVdK';
const KEY = 'key_3fJ9sKwQx2LmNb7VtR4yZa';
const NEXT_KEY = 'key_8hT1dPzUc6XvQe5WkY0oMb';
const MADE_AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:05:00.000Z';
const UNTIL = '2099-01-31T09:00:00.000Z';

const credentials = { email: 'ann@example.com', password: 'a-long-password-of-ann' };

const passportInput = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['payments.create', 'orders.*'],
  monetary_limit_per_txn: 100,
  currency: 'EUR',
  monetary_actions: ['payments.create'],
  budgets: [{ name: 'day', window: 'day', limit: 500 }],
  allowed_targets: ['did:web:*.suppliers.example'],
  expires_at: UNTIL,
  metadata: { team: 'purchasing' },
};

const intent = {
  agent_id: AGENT,
  action: 'payments.create',
  target: 'did:web:paper.suppliers.example',
  parameters: { amount: '19.99', currency: 'EUR', invoice: 'R-2026-118' },
};

const tooMuch = { ...intent, parameters: { amount: 250, currency: 'EUR' }, dry_run: true };

const passport = {
  agent_id: AGENT,
  ...passportInput,
  status: 'active',
  version: 1,
  created_at: MADE_AT,
  updated_at: MADE_AT,
  suspended_until: null,
  suspended_by: null,
  suspension_reason: null,
  revoked_at: null,
  revoked_by: null,
  revocation_reason: null,
};

const approval = approvalExample(intent, MADE_AT);

const passportVersion = { ...passport, changed_by: 'mem_5Q2bGmYwX0aNcTqLr8sVdK', changed_at: MADE_AT };

const budget = {
  agent_id: AGENT,
  name: 'day',
  window: 'day',
  limit: 500,
  count: null,
  spent: 19.99,
  held: 0,
  remaining: 480.01,
  resets_at: '2026-11-21T00:00:00.000Z',
};

const allowedVerdict = {
  verdict: 'ALLOW',
  reasons: [],
  decision_id: 'dec_5nWq8ZrT2yLkXc0BvH0000s4Ge',
  agent_id: AGENT,
  action: 'payments.create',
  target: 'did:web:paper.suppliers.example',
  amount: 19.99,
  currency: 'EUR',
  passport_version: 1,
  environment: 'live',
  key_id: KEY,
  request_id: 'req_5nWq8ZrT2yLkXc0BvHs4Ge',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  dry_run: false,
  proof_kid: null,
  subject: null,
  approval_id: null,
  hold_seconds: null,
  verifier: null,
  permit_audience: null,
  ancestor_versions: null,
  budgets: [budget],
  evaluated_at: LATER,
};

const reason = {
  code: 'amount_over_limit',
  message: 'The amount is over the limit.',
  limit: '100',
  actual: '250',
};

const deniedVerdict = {
  ...allowedVerdict,
  verdict: 'DENY',
  reasons: [reason],
  decision_id: 'dec_5nWq8ZrT2yLkXc0BvH0000s4Gf',
  amount: 250,
  dry_run: true,
  budgets: [],
};

const keyInput = { name: 'checkout', scopes: ['verify', 'revoke'], expires_at: UNTIL };

const shownKey = {
  id: KEY,
  name: 'checkout',
  start: 'ais_live_7Gk2',
  environment: 'live',
  scopes: ['verify', 'revoke'],
  agent_ids: null,
  created_at: MADE_AT,
  expires_at: UNTIL,
};

const key = {
  ...shownKey,
  status: 'active',
  last_used_at: LATER,
  revoked_at: null,
  rotated_to: null,
  created_by: 'mem_5Q2bGmYwX0aNcTqLr8sVdK',
  changed_at: null,
  changed_by: null,
  revoked_by: null,
};

const newKey = {
  ...shownKey,
  // The checksum is wrong on purpose, so that no secret scanner reports this key.
  key: 'ais_live_0000000000000000000000000000000000000000000000000',
  plan: 'starter',
  message: 'Keep this key safe: it is shown this once and stored nowhere.',
};

const comparison = comparisonExample(intent, LATER);
const replayRange = { from: '2026-10-21T12:05:00.000Z', to: LATER };

const domain = domainExample({ account_id: ACCOUNT, created_at: MADE_AT, expires_at: UNTIL });

const page = <Item>(item: Item) => ({ data: [item], has_more: false, next_cursor: null });

const { decision_id, evaluated_at } = allowedVerdict;
const outcomeReport = { decision_id, evaluated_at, agent_id: AGENT, outcome: 'failed', code: 'timeout' };

const outcome = { outcome: 'failed', code: 'timeout', reported_at: evaluated_at, key_id: KEY };
const recordedVerdict = { ...allowedVerdict, outcome };

export const requestExamples: Readonly<Record<DescribedRequestName, unknown>> = {
  ...tokenFormExamples,
  ...accessRequestExamples(AGENT),
  LoginRequest: credentials,
  RegisterRequest: credentials,
  LogoutRequest: { everywhere: true },
  KeyRequest: keyInput,
  KeyPatch: { name: 'checkout in Berlin', agent_ids: [AGENT] },
  KeyRotation: { grace_seconds: 3_600 },
  PasswordChange: {
    current_password: credentials.password,
    new_password: 'another-long-password-of-ann',
  },
  AccountDeletion: { current_password: 'another-long-password-of-ann' },
  PassportRequest: passportInput,
  PassportPatch: { monetary_limit_per_txn: '149.50', metadata: { team: 'sales' } },
  DomainRequest: { domain: 'shop.example' },
  SignRequest: { ttl_seconds: 600 },
  TryRequest: { patch: { monetary_limit_per_txn: 15 }, intent },
  ReplayRequest: { patch: { monetary_limit_per_txn: 15 }, examples: 10 },
  Intent: intent,
  IntentBatch: { intents: [intent, tooMuch] },
  OutcomesRequest: { outcomes: [outcomeReport] },
  RevokeRequest: { agent_id: AGENT, reason: 'The supplier was changed.' },
  SuspendRequest: { agent_id: AGENT, reason: 'Under review.', until: UNTIL },
  ...spendRequestExamples,
  ApprovalDecision: { note: 'Asked the buyer.' },
  ReinstateRequest: { agent_id: AGENT },
  ...verifierRequestExamples(AGENT),
  SubjectRequest: { subject: 'user-4711' },
  ...memberRequestExamples,
  ...webhookRequestExamples,
};

export const responseExamples: Readonly<Record<ResponseName, unknown>> = {
  ...accessResponseExamples(allowedVerdict.decision_id, reason),
  ...logResponseExamples,
  Session: { access_token: 'header.claims.signature', token_type: 'bearer', expires_in: 3_600 },
  NewAccount: { id: ACCOUNT, email: 'ann@example.com', plan: 'starter' },
  NewKey: newKey,
  RotatedKey: { ...newKey, id: NEXT_KEY, replaces: KEY },
  Key: key,
  KeyPage: { ...page(key), active_count: 1 },
  AccountOverview: accountExample,
  Passport: passport,
  PassportPage: page(passport),
  Comparison: comparison,
  Replay: replayExample(comparison, allowedVerdict, replayRange),
  PassportVersion: passportVersion,
  PassportVersionPage: page(passportVersion),
  EffectivePassport: {
    agent_id: AGENT,
    ancestors: [],
    status: 'active',
    suspended_until: null,
    allowed_actions: passport.allowed_actions,
    monetary_limit_per_txn: 100,
    currency: 'EUR',
    allowed_targets: passport.allowed_targets,
    monetary_actions: passport.monetary_actions,
    budgets: [{ agent_id: AGENT, ...passport.budgets[0] }],
    expires_at: UNTIL,
  },
  Domain: domain,
  DomainPage: page(domain),
  Reason: reason,
  Verdict: { verdict: 'DENY', reasons: [reason] },
  OutcomesAccepted: { accepted: 1 },
  VerdictRecord: allowedVerdict,
  VerdictBatch: { verdicts: [allowedVerdict, deniedVerdict] },
  RecordedVerdict: recordedVerdict,
  VerdictPage: page(recordedVerdict),
  SubjectErasure: { erased: 12, has_more: false },
  Analytics: {
    overview: {
      total_agents: 1,
      active_agents: 1,
      suspended_agents: 0,
      revoked_agents: 0,
      total_verifications: 1,
      allowed: 1,
      denied: 0,
    },
    outcomes: { succeeded: 1, failed: 0, not_attempted: 0, unknown: 0, unreported: 0 },
    series: [{ start: MADE_AT, allowed: 1, denied: 0 }],
    top_agents: [{ key: AGENT, count: 1 }],
    top_actions: [{ key: 'payments.create', count: 1 }],
    top_reasons: [],
    latency_us: { p50: 12, p95: 12, p99: 12 },
    journal_dropped: 0,
    complete_since: MADE_AT,
  },
  BudgetState: budget,
  BudgetList: { data: [{ ...budget, window_start: '2026-11-20T00:00:00.000Z' }] },
  Spend: {
    decision_id: allowedVerdict.decision_id,
    agent_id: AGENT,
    environment: 'live',
    status: 'held',
    amount: 19.99,
    released_amount: 0,
    currency: 'EUR',
    held_until: '2026-11-20T12:10:00.000Z',
    permit_until: null,
    created_at: MADE_AT,
    updated_at: MADE_AT,
  },
  Approval: approval,
  ApprovalPage: page(approval),
  ConfirmedPassports: {
    turn: 17,
    as_of_ms: 2.5,
    at: LATER,
    ask: null,
    decision_version: 1,
    account_id: ACCOUNT,
    key_id: KEY,
    environment: 'live',
    passports: { [AGENT]: passport },
    unread: [],
  },
  FiledVerdicts: { seq: 1, result: 'filed' },
  Revocation: {
    agent_id: AGENT,
    status: 'revoked',
    reason: 'The supplier was changed.',
    revoked_at: LATER,
  },
  Suspension: { agent_id: AGENT, status: 'suspended', reason: 'Under review.', suspended_until: UNTIL },
  Reinstatement: { agent_id: AGENT, status: 'active' },
  ...memberResponseExamples,
  ...webhookResponseExamples,
  SignedPassport: {
    token: 'header.claims.signature',
    kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    expires_at: UNTIL,
  },
  ...tokenResponseExamples,
  JwkSet: {
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        alg: 'EdDSA',
        use: 'sig',
        nbf: 1795176000,
      },
    ],
  },
  Health: { status: 'ok' },
  OpenApi: { openapi: '3.1.0', paths: {} },
  Problem: {
    type: '/reference#not_found',
    title: 'Not found',
    status: 404,
    detail: 'There is no passport with this id that you can access.',
    code: 'not_found',
    request_id: 'req_5nWq8ZrT2yLkXc0BvHs4Ge',
  },
};

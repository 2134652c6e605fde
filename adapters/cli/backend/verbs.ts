import type { IdentityService, Intent, PassportInput, PassportPatch } from '../../../src/index.ts';
import type { ApprovalDecision, CreateAll, EventQuery, IdentityEvent } from '../../../src/types.ts';
import type { PassportToImport } from '../import/passport-line.ts';

type Approvals = IdentityService['approvals'];
type Keys = IdentityService['keys'];
type Passports = IdentityService['passports'];
type Spends = IdentityService['spends'];
type Verifications = IdentityService['verifications'];
type Domains = IdentityService['domains'];
type Filter = NonNullable<Parameters<Verifications['csv']>[0]>;

/** What the verbs need of a service: in this process over its storage, or behind a URL. */
export interface Backend {
  createKey(input: Parameters<Keys['create']>[0]): ReturnType<Keys['create']>;
  listKeys(page: Parameters<Keys['list']>[0]): ReturnType<Keys['list']>;
  updateKey(id: string, patch: Parameters<Keys['update']>[1]): ReturnType<Keys['update']>;
  rotateKey(id: string, rotation: Parameters<Keys['rotate']>[1]): ReturnType<Keys['rotate']>;
  revokeKey(id: string): Promise<void>;
  createPassport(input: PassportInput): ReturnType<Passports['create']>;
  /** Issues several passports, each with the status that it had elsewhere; one with children may be suspended instead of revoked. */
  importPassports(passports: readonly PassportToImport[]): ReturnType<CreateAll>;
  /** How many of them one call takes. */
  readonly importsAtOnce: number;
  listPassports(query: Parameters<Passports['list']>[0]): ReturnType<Passports['list']>;
  getPassport(agentId: string): ReturnType<Passports['get']>;
  listPassportVersions(
    agentId: string,
    page: Parameters<Passports['versions']>[1],
  ): ReturnType<Passports['versions']>;
  signPassport(agentId: string, input: Parameters<Passports['sign']>[1]): ReturnType<Passports['sign']>;
  effectivePassport(agentId: string): ReturnType<Passports['effective']>;
  listBudgets(agentId: string, query: Parameters<Passports['budgets']>[1]): ReturnType<Passports['budgets']>;
  getSpend(decisionId: string): ReturnType<Spends['get']>;
  settleSpend(
    verb: 'commit' | 'release',
    decisionId: string,
    input: Parameters<Spends['commit']>[1],
    idempotencyKey: string | undefined,
  ): ReturnType<Spends['commit']>;
  listApprovals(query: Parameters<Approvals['list']>[0]): ReturnType<Approvals['list']>;
  getApproval(id: string): ReturnType<Approvals['get']>;
  decideApproval(
    verb: 'approve' | 'reject',
    id: string,
    decision: ApprovalDecision,
  ): ReturnType<Approvals['approve']>;
  /** JSON Merge Patch; with `ifVersion` of these versions only. */
  updatePassport(
    agentId: string,
    patch: PassportPatch,
    condition: { readonly ifVersion?: readonly number[] },
  ): ReturnType<Passports['update']>;
  /** In this process it settles when all is erased, behind a URL when that has begun. */
  purgePassport(agentId: string): Promise<void>;
  claimDomain(domain: string): ReturnType<Domains['claim']>;
  checkDomain(domain: string): ReturnType<Domains['check']>;
  /** Of the account. */
  listDomains(page: Parameters<Passports['versions']>[1]): ReturnType<Domains['list']>;
  /** What the account owns. */
  releaseDomain(domain: string): Promise<void>;
  listVerifications(query: Parameters<Verifications['list']>[0]): ReturnType<Verifications['list']>;
  /** Every verdict of the filter as CSV, piece by piece. */
  exportVerifications(filter: Filter): Promise<AsyncIterable<string>>;
  analytics(query: Parameters<IdentityService['analytics']>[0]): ReturnType<IdentityService['analytics']>;
  revoke(input: Parameters<IdentityService['revoke']>[0]): ReturnType<IdentityService['revoke']>;
  suspend(input: Parameters<IdentityService['suspend']>[0]): ReturnType<IdentityService['suspend']>;
  reinstate(input: Parameters<IdentityService['reinstate']>[0]): ReturnType<IdentityService['reinstate']>;
  verify(intent: Intent, idempotencyKey?: string): ReturnType<IdentityService['verify']>;
  /** What happens, until the signal. */
  events(query: EventQuery, signal: AbortSignal): AsyncIterable<IdentityEvent>;
  /** For the purpose `webhooks`. */
  readonly webhooks: WebhookVerbs;
  /** Closes what the verb has opened. */
  close(): Promise<void>;
}

type Webhooks = IdentityService['webhooks'];

/** What the verbs need of webhooks. */
export interface WebhookVerbs {
  create(input: Parameters<Webhooks['create']>[0]): ReturnType<Webhooks['create']>;
  list(page: Parameters<Webhooks['list']>[0]): ReturnType<Webhooks['list']>;
  get(id: string): ReturnType<Webhooks['get']>;
  update(id: string, patch: Parameters<Webhooks['update']>[1]): ReturnType<Webhooks['update']>;
  remove(id: string): Promise<void>;
  rotate(id: string, rotation: Parameters<Webhooks['rotate']>[1]): ReturnType<Webhooks['rotate']>;
  test(id: string): ReturnType<Webhooks['test']>;
  deliveries(id: string, page: Parameters<Webhooks['deliveries']>[1]): ReturnType<Webhooks['deliveries']>;
  redeliver(id: string, deliveryId: string): ReturnType<Webhooks['redeliver']>;
}

/** The options that say which service a verb means. */
export interface BackendOptions {
  readonly url?: string;
  readonly storage: string;
  readonly account?: string;
  readonly email: string;
  readonly passwordFile?: string;
  readonly json?: boolean;
  /** For verbs that sign, with `storage`. */
  readonly publicUrl?: string;
}

/** What a verb does to the service: manage as an account, its webhooks with the secret of the service, or ask for a verdict. */
export type Purpose = 'manage' | 'webhooks' | 'verify';

/** Passports: each id is issued once, and changed version by version. */
import { formatAgentId, hostOf, isDomain } from '../../base/agent-id.ts';
import { mustBe } from '../../base/expected.ts';
import { MAX_METADATA_NAMES } from '../../base/field-limits.ts';
import { PASSPORT_STATUSES, statusAt } from '../../base/passport-status.ts';
import { type FieldError, IdentityError, invalidRequest, refuseAny } from '../../errors.ts';
import type { WriteFailure } from '../../ports/storage.ts';
import type { PassportFields, PassportRecord } from '../../ports/stored-records.ts';
import type {
  Instant,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  PassportStatus,
  PassportVersion,
} from '../../records.ts';
import { checkCopy, type Judge } from '../../schema/check.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, now, usageCounter } from '../shared/context.ts';
import type { Idempotency, OnceOptions } from '../shared/idempotency.ts';
import { limitErrors, type PageRequest, readPage } from '../shared/pages.ts';
import { recordsBy, recordsExpiredBy } from '../shared/record-lists.ts';
import { tellChange } from '../shared/security-log.ts';
import { insert } from '../storage/store.ts';
import { canonicalFields, fieldErrors } from './passport-fields.ts';
import { mergePassport, splitRecord } from './passport-patch.ts';
import { NOT_SUSPENDED, toPassport, toPassportVersion, versionOf } from './passport-record.ts';
import { changePassport, ownedPassport } from './passport-store.ts';

/** Which passports to list. */
export interface PassportQuery extends PageRequest {
  /** Only passports of this status now. */
  readonly status?: PassportStatus;
  /** Only passports of this domain. */
  readonly domain?: string;
}

/** A condition on the version that is changed. */
export interface UpdateOptions {
  /** The only versions to change; any other is `version_mismatch`. Absent: whichever there is. */
  readonly ifVersion?: readonly number[];
}

/** Manages the passports of an account. */
export interface Passports {
  /** `domain_claimed`, then `already_exists`, then `plan_limit_reached`: nothing is stored. */
  create(input: PassportInput, actor?: Actor, options?: OnceOptions): Promise<Passport>;
  /** `not_found` for a passport of another account as for one that does not exist. */
  get(agentId: string, actor?: Actor): Promise<Passport>;
  /** Newest first; those of status `expired` by the end of their time, the latest first. */
  list(query?: PassportQuery, actor?: Actor, options?: CallOptions): Promise<Page<Passport>>;
  /** Every version whole, newest first, with who made it and when; `not_found` as `get`. */
  versions(
    agentId: string,
    page?: PageRequest,
    actor?: Actor,
    options?: CallOptions,
  ): Promise<Page<PassportVersion>>;
  /** JSON Merge Patch. A revoked passport is a `conflict`; a patch that changes nothing makes no version. */
  update(agentId: string, patch: PassportPatch, actor?: Actor, options?: UpdateOptions): Promise<Passport>;
}

/** The passports of one service. */
export function createPassports(context: Context, idempotency: Idempotency): Passports {
  const { store } = context;

  return {
    async create(given, actor = {}, options = {}) {
      const judge: Judge = (input) => fieldErrors(input, context);
      const input = checkCopy<PassportInput>('PassportRequest', given, judge);
      const fields = canonicalFields(input);
      const account_id = accountOf(context, actor);
      const request = { ...options, account_id, operation: 'passports.create', input };
      return idempotency.once<Passport>(request, async (write) => {
        const created_at = now(context);
        const record = newPassport(fields, account_id, created_at);
        const claim = { version: 1, created_at, changed_at: null, changed_by: null };
        const domain = { id: hostOf(fields.domain), account_id, ...claim };
        const max = actor.plan === undefined ? null : context.plans[actor.plan].passports;
        const shown = toPassport(record, created_at);
        const isNewClaim = context.claimsDomains && (await store.get('domains', domain.id)) === undefined;
        const result = await write({ id: record.id, shown, repeatable: shown }, [
          ...(context.claimsDomains ? [{ op: 'claim', collection: 'domains', record: domain } as const] : []),
          insert('passports', record),
          insert('passport_versions', versionOf(record, authorOf(context, actor))),
          {
            op: 'add',
            counter: usageCounter('passports', account_id),
            by: 1,
            at: created_at,
            ...(max !== null && { max }),
          },
        ]);
        if (!result.written) throw notIssued(result.failure, max);
        if (isNewClaim) tellChange(context, 'domain.claimed', actor, { domain: domain.id });
        tellChange(context, 'passport.created', actor, { agent_id: record.id, version: 1 });
        return { id: record.id, shown, repeatable: shown };
      });
    },

    get: async (agentId, actor = {}) =>
      toPassport(await ownedPassport(context, agentId, actor), now(context)),

    async list({ status, domain, ...page } = {}, actor = {}, options = {}) {
      refuseAny([...filterErrors(status, domain, context), ...limitErrors(page.limit)]);
      const account_id = accountOf(context, actor);
      const at = now(context);
      const list = {
        query: ['passports', account_id, status, domain],
        show: (record: PassportRecord) => toPassport(record, at),
      };
      const keep = (record: PassportRecord): boolean =>
        (status === undefined || statusAt(record, at) === status) &&
        (domain === undefined || record.domain === domain);
      if (status === 'expired' && domain === undefined) {
        const expired = recordsExpiredBy(store, 'passports', at, { account_id });
        return readPage(context, { ...list, ...expired, keep }, page, options);
      }
      const isSettled = status === 'revoked' || status === 'suspended';
      // Only these two are settled in the store; the others depend on the time as well.
      const by = domain !== undefined ? { domain } : isSettled ? { status } : {};
      const source = { ...list, ...recordsBy(store, 'passports', { account_id, ...by }) };
      return readPage(context, status === undefined ? source : { ...source, keep }, page, options);
    },

    async versions(agentId, page = {}, actor = {}, options = {}) {
      const { account_id } = await ownedPassport(context, agentId, actor);
      const source = {
        query: ['passport_versions', account_id, agentId],
        ...recordsBy(store, 'passport_versions', { agent_id: agentId }),
        show: toPassportVersion,
      };
      return readPage(context, source, page, options);
    },

    async update(agentId, given, actor = {}, { ifVersion } = {}) {
      const judge: Judge = (input) => fieldErrors(input, context);
      const patch = checkCopy<PassportPatch>('PassportPatch', given, judge);
      const event = 'passport.updated';
      const changed = await changePassport(context, { event, agentId, actor }, (found) => {
        if (found.status === 'revoked') {
          throw new IdentityError('conflict', 'A revoked passport cannot be changed.');
        }
        if (ifVersion !== undefined && !ifVersion.includes(found.version)) {
          throw new IdentityError('version_mismatch', `The passport is at version ${found.version}.`);
        }
        return patched(found, patch, context);
      });
      return toPassport(changed, now(context));
    },
  };
}

function newPassport(fields: PassportFields, account_id: string, created_at: Instant): PassportRecord {
  return {
    id: formatAgentId(fields),
    account_id,
    version: 1,
    created_at,
    updated_at: created_at,
    ...fields,
    status: 'active',
    ...NOT_SUSPENDED,
    revoked_at: null,
    revoked_by: null,
    revocation_reason: null,
  };
}

function notIssued(failure: WriteFailure, max: number | null): IdentityError {
  switch (failure) {
    case 'claimed':
      return new IdentityError('domain_claimed', 'Another account issues passports for this domain.');
    case 'exists':
      return new IdentityError(
        'already_exists',
        'This agent_id was issued before; it is never issued again.',
      );
    case 'limit':
      return new IdentityError('plan_limit_reached', `The plan allows ${max} passports.`);
    default:
      return new IdentityError('internal', 'The passport could not be stored.');
  }
}

function filterErrors(
  status: string | undefined,
  domain: string | undefined,
  { allowLocalhost }: Context,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (path: string, code: string) => errors.push({ path, code, message: mustBe(path) });
  if (status !== undefined && !PASSPORT_STATUSES.some((known) => known === status))
    refuse('/status', 'not_allowed');
  if (domain !== undefined && !isDomain(domain, { allowLocalhost })) refuse('/domain', 'malformed');
  return errors;
}

/** The record after the patch, or `undefined` when it says what was there before. */
function patched(found: PassportRecord, patch: PassportPatch, context: Context): PassportRecord | undefined {
  const { fields, rest } = splitRecord(found);
  const merged = mergePassport(fields, patch);
  if (Object.keys(merged.metadata ?? {}).length > MAX_METADATA_NAMES) {
    throw invalidRequest([{ path: '/metadata', code: 'too_many', message: mustBe('/metadata') }]);
  }
  refuseAny(fieldErrors(merged, context));
  const next = canonicalFields(merged);
  if (sameFields(fields, next)) return undefined;
  return { ...rest, ...next };
}

function sameFields(before: PassportInput, after: PassportInput): boolean {
  const text = (fields: PassportInput) =>
    JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(before) === text(after);
}

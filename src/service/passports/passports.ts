/** Passports: each id is issued once, and changed version by version. */
import { mustBe } from '../../base/values/expected.ts';
import { ENVIRONMENTS } from '../../base/values/vocabulary.ts';
import { IdentityError, invalidRequest } from '../../errors.ts';
import type { PassportRecord } from '../../ports/stored-records.ts';
import type { EffectivePassport } from '../../records/effective.ts';
import type {
  BudgetList,
  Environment,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  PassportVersion,
} from '../../records.ts';
import { checkCopy, type Judge } from '../../schema/check.ts';
import { prepare } from '../../verdict/index.ts';
import type { DomainProofs } from '../domains/proof.ts';
import type { Journal } from '../journal/journal.ts';
import { createPassportReplay } from '../replay/replay.ts';
import type { ReplayPassport } from '../replay/replay-input.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import { type Context, now } from '../shared/context.ts';
import type { Idempotency } from '../shared/idempotency.ts';
import { type PageRequest, readPage } from '../shared/pages.ts';
import { onlyAfter, recordsBy } from '../shared/record-lists.ts';
import { createStatusSlots } from '../signing/status-slots.ts';
import type { TokenSigner } from '../signing/token-signer.ts';
import type { Spending } from '../spending/spending.ts';
import { assertNarrower, assertTrue, changeBetween } from './change-between.ts';
import { inEffect } from './effective.ts';
import type { CreateAll } from './issue-passports.ts';
import { createIssuing } from './issuing.ts';
import { listPassports, type PassportQuery } from './list-passports.ts';
import { ancestorsOf } from './parents.ts';
import { fieldErrors } from './passport-fields.ts';
import { assertChangeable, patchedRecord } from './passport-patch.ts';
import { toPassport, toPassportVersion } from './passport-record.ts';
import { changePassport, ownedPassport } from './passport-store.ts';
import { purgePassport } from './purge-passport.ts';
import { createSignPassport, type SignPassport } from './sign-passport.ts';
import type { CreateOptions } from './sound-passport.ts';
import { createTryPassport, judgedPassport, type TryParts, type TryPassport } from './try-passport.ts';

/** A condition on the version that is changed. */
export interface UpdateOptions {
  /** The only versions to change; any other is `version_mismatch`. Absent: any. */
  readonly ifVersion?: readonly number[];
  /** Refuses a change that would let more happen: `would_widen`, with `change` in its details. */
  readonly ifNarrower?: true;
}

/** Which budgets. */
export interface BudgetQuery {
  /** Each has its own; default `live`. */
  readonly environment?: Environment;
}

/** Manages the passports of an account. */
export interface Passports {
  /**
   * `domain_claimed`, then `already_exists`, then `plan_limit_reached`: nothing is stored. `invalid_request` for
   * an `expires_at` that is not in the future.
   */
  create(input: PassportInput, options?: Actor & CreateOptions): Promise<Passport>;
  /**
   * Issues several passports, in one write where that is possible: the outcome of each, in their order. A write of 512
   * takes a fraction of a second; issue more in several calls. Throws where the storage is out of reach: some of them
   * may be stored.
   */
  readonly createAll: CreateAll;
  /** `not_found` for a passport of another account as for one that does not exist. */
  get(agentId: string, actor?: Actor): Promise<Passport>;
  /** Newest first; those of status `expired` by the end of their time, the latest first. */
  list(query?: PassportQuery, options?: Actor & CallOptions): Promise<Page<Passport>>;
  /** Every version whole, newest first, with who made it and when; `not_found` as `get`. */
  versions(
    agentId: string,
    page?: PageRequest,
    options?: Actor & CallOptions,
  ): Promise<Page<PassportVersion>>;
  /** JSON Merge Patch. A revoked passport is a `conflict`; a patch that changes nothing makes no version. */
  update(agentId: string, patch: PassportPatch, options?: Actor & UpdateOptions): Promise<Passport>;
  /**
   * The budgets of a passport now, in its order, by default those of `live`; what was held for too long is given back
   * first. `not_found` as `get`.
   */
  budgets(agentId: string, query?: BudgetQuery, actor?: Actor): Promise<BudgetList>;
  /**
   * Erases what is kept of an agent but its id, which stays revoked and taken: its fields and versions at once or soon,
   * then its verdicts, sums, spends, approvals and events, in pieces. `conflict` unless it is revoked.
   */
  purge(agentId: string, actor?: Actor): Promise<void>;
  /** What the passport and all those above it allow together, for people to read. `not_found` as `get`. */
  effective(agentId: string, options?: Actor & CallOptions): Promise<EffectivePassport>;
  /**
   * The verdict on an intent by the passport as it is, or as a patch would make it; nothing is stored or recorded.
   * `invalid_request` below `/patch` and `conflict` as `update`.
   */
  readonly try: TryPassport;
  /**
   * Judges recorded verdicts of the agent, and of all below it, by the passport as it is, as a patch would make it, or as
   * each record names it. Nothing is stored. `invalid_request` below `/patch` and `conflict` as `update`.
   */
  readonly replay: ReplayPassport;
  /**
   * A token by which strangers can check the passport themselves, without this service. `conflict` for a passport that
   * is not active now, `domain_unproven` where the account may not speak for its domain, `invalid_request` for a `kid`
   * that is not among its keys, `not_found` also in a service without `identity.publicUrl`.
   */
  readonly sign: SignPassport;
}

/** What passports are judged and signed with. */
export interface PassportsParts extends TryParts {
  /** Proves domains. */
  readonly proofs: DomainProofs;
  readonly idempotency: Idempotency;
  readonly spending: Pick<Spending, 'report' | 'trial'>;
  /** Absent in a service that does not sign. */
  readonly tokens: TokenSigner | undefined;
  readonly erasures: { wake(): void };
  readonly journal: Pick<Journal, 'settle'>;
}

/** The passports of one service. */
export function createPassports(context: Context, parts: PassportsParts): Passports {
  const { idempotency, spending } = parts;
  const { store } = context;
  const slots = createStatusSlots(context);

  return {
    ...createIssuing(context, { idempotency, slots, proofs: parts.proofs }),

    get: async (agentId, actor = {}) =>
      toPassport(await ownedPassport(context, agentId, actor), now(context)),

    list: (query = {}, options = {}) => listPassports(context, query, options),

    async versions(agentId, page = {}, options = {}) {
      const owned = () => ownedPassport(context, agentId, options);
      const source = {
        query: ['passport_versions', agentId],
        ...onlyAfter(owned, recordsBy(store, 'passport_versions', { agent_id: agentId })),
        show: toPassportVersion,
      };
      return readPage(context, source, page, options);
    },

    async update(agentId, given, { ifVersion, ifNarrower, ...actor } = {}) {
      assertTrue(ifNarrower);
      const judge: Judge = (input) => fieldErrors(input, context);
      const patch = checkCopy<PassportPatch>('PassportPatch', given, judge);
      const event = 'passport.updated';
      const compared = (before: PassportRecord, after: PassportRecord) => {
        const change = changeBetween(before, after, parts.rules);
        if (ifNarrower === true) assertNarrower(change);
        return change.result;
      };
      const changed = await changePassport(context, { event, agentId, actor, compared }, (found) => {
        assertChangeable(found);
        if (ifVersion !== undefined && !ifVersion.includes(found.version)) {
          throw new IdentityError('version_mismatch', `The passport is at version ${found.version}.`);
        }
        return patchedRecord(found, patch, context);
      });
      return toPassport(changed, now(context));
    },

    async purge(agentId, actor = {}) {
      await purgePassport(context, agentId, actor);
      parts.erasures.wake();
    },

    async effective(agentId, options = {}) {
      const record = await ownedPassport(context, agentId, options);
      return inEffect(record, await ancestorsOf(context, record), now(context), options);
    },

    budgets: (agentId, query = {}, actor = {}) => readBudgets(context, spending, { agentId, query, actor }),

    try: createTryPassport(context, parts),
    replay: createPassportReplay(context, parts),
    sign: createSignPassport(context, slots, parts.tokens),
  };
}

async function readBudgets(
  context: Context,
  spending: Pick<Spending, 'report'>,
  { agentId, query, actor }: { readonly agentId: string; readonly query: BudgetQuery; readonly actor: Actor },
): Promise<BudgetList> {
  const { environment = 'live' } = query;
  if (!ENVIRONMENTS.includes(environment)) {
    throw invalidRequest([{ path: '/environment', code: 'not_allowed', message: mustBe('/environment') }]);
  }
  const record = await ownedPassport(context, agentId, actor);
  const root = (await ancestorsOf(context, record)).at(-1) ?? record;
  return { data: await spending.report(prepare(judgedPassport(record)), root.id, environment) };
}

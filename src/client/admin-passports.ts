/** The passports of an account, over HTTP. */
import type { EffectivePassport } from '../records/effective.ts';
import type { SignedPassportToken, SignPassportInput } from '../records/token.ts';
import type {
  BudgetList,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  PassportVersion,
  Verdict,
} from '../records.ts';
import type {
  BudgetQuery,
  OnceOptions,
  PageRequest,
  PassportQuery,
  TryInput,
  UpdateOptions,
} from '../service.ts';
import type { AdminRequests, Pages } from './admin-requests.ts';
import { isSignedPassport, isVerdict } from './answers.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions } from './transport.ts';

/** The passports of the account. */
export interface AdminPassports {
  /**
   * Issues a passport. The request has an `Idempotency-Key`, a new one when none is given, and is sent once more when
   * the connection breaks.
   */
  create(input: PassportInput, options?: RequestOptions & OnceOptions): Promise<Passport>;
  /** Lists the passports: the first page, with `for await` every page. */
  list(query?: PassportQuery, options?: RequestOptions): Pages<Page<Passport>>;
  /** Returns a passport; `not_found` for one of another account as for one that does not exist. */
  get(agentId: string, options?: RequestOptions): Promise<Passport>;
  /** Lists the complete versions, newest first: the first page, with `for await` every page. */
  versions(agentId: string, page?: PageRequest, options?: RequestOptions): Pages<Page<PassportVersion>>;
  /**
   * Changes a passport by a JSON Merge Patch: `null` removes an optional field. `version_mismatch` when the version is
   * not in `ifVersion`.
   */
  update(agentId: string, patch: PassportPatch, options?: RequestOptions & UpdateOptions): Promise<Passport>;
  /**
   * Erases the data of an agent whose passport is revoked; its id stays taken. `conflict` for one that is not revoked.
   */
  purge(agentId: string, options?: RequestOptions): Promise<void>;
  /** Returns the combined permissions of the passport and all those above it, for people to read. */
  effective(agentId: string, options?: RequestOptions): Promise<EffectivePassport>;
  /** Returns the amounts of the budgets that are spent, held and left, by default those of `live`. */
  budgets(agentId: string, query?: BudgetQuery, options?: RequestOptions): Promise<BudgetList>;
  /** Returns the verdict on an intent for the passport as it is, or with a patch. Nothing is stored or recorded. */
  try(agentId: string, input: TryInput, options?: RequestOptions): Promise<Verdict>;
  /** Signs the passport in its present state, as a token that others can verify on their own. */
  sign(agentId: string, input?: SignPassportInput, options?: RequestOptions): Promise<SignedPassportToken>;
}

/** Makes the verbs of passports over these requests. */
export function passportsOf({ ask, change, make, list, notThisAnswer }: AdminRequests): AdminPassports {
  const holds = ['agent_id', 'version'];
  return {
    create: (input, options) => make('/passports', { input, options, holds }),
    list: (query = {}, options) => list('/passports', query, options),
    get: (agentId, options) => ask(pathOf`/passports/${agentId}`, { options, holds }),
    versions: (agentId, page = {}, options) => list(pathOf`/passports/${agentId}/versions`, page, options),
    effective: (agentId, options) =>
      ask(pathOf`/passports/${agentId}/effective`, { options, holds: ['agent_id', 'ancestors'] }),
    budgets: (agentId, query = {}, options) =>
      ask(pathOf`/passports/${agentId}/budgets`, { query, options, holds: ['data'] }),
    update(agentId, input, options) {
      const headers = options?.ifVersion && { 'if-match': ifMatch(options.ifVersion) };
      return change('PATCH', pathOf`/passports/${agentId}`, { input, options, headers, success: 200, holds });
    },
    async purge(agentId, options) {
      await change('DELETE', pathOf`/passports/${agentId}`, { options, success: 204 });
    },
    async try(agentId, input, options) {
      const asked = { input, options, success: 200 } as const;
      const answer = await change('POST', pathOf`/passports/${agentId}/try`, asked);
      if (!isVerdict(answer)) throw notThisAnswer();
      return answer;
    },
    async sign(agentId, input = {}, options) {
      const asked = { input, options, success: 200 } as const;
      const answer = await change('POST', pathOf`/passports/${agentId}/sign`, asked);
      if (!isSignedPassport(answer)) throw notThisAnswer();
      return answer;
    },
  };
}

/** Returns the condition as a header. An empty list allows no version: it becomes version 0, which does not exist. */
function ifMatch(versions: readonly number[]): string {
  return versions.length === 0 ? '"0"' : versions.map((version) => `"${Number(version)}"`).join();
}

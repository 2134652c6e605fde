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
  /** Sent with an `Idempotency-Key`, made here where none is given, and so once more when the connection breaks. */
  create(input: PassportInput, options?: RequestOptions & OnceOptions): Promise<Passport>;
  /** The first page; with `for await` every page. */
  list(query?: PassportQuery, options?: RequestOptions): Pages<Page<Passport>>;
  /** `not_found` for a passport of another account as for one that does not exist. */
  get(agentId: string, options?: RequestOptions): Promise<Passport>;
  /** Every version whole, newest first: the first page, with `for await` every page. */
  versions(agentId: string, page?: PageRequest, options?: RequestOptions): Pages<Page<PassportVersion>>;
  /** A JSON Merge Patch: `null` removes an optional field. `version_mismatch` where `ifVersion` is another. */
  update(agentId: string, patch: PassportPatch, options?: RequestOptions & UpdateOptions): Promise<Passport>;
  /** Erases what is kept of an agent whose passport is revoked; its id stays taken. `conflict` for one that is not revoked. */
  purge(agentId: string, options?: RequestOptions): Promise<void>;
  /** What the passport and all those above it allow together, for people to read. */
  effective(agentId: string, options?: RequestOptions): Promise<EffectivePassport>;
  /** What is spent, held and left of the budgets, by default those of `live`. */
  budgets(agentId: string, query?: BudgetQuery, options?: RequestOptions): Promise<BudgetList>;
  /** The verdict on an intent by the passport as it is, or as a patch would make it; nothing is stored or recorded. */
  try(agentId: string, input: TryInput, options?: RequestOptions): Promise<Verdict>;
  /** The passport as it is now, as a token that strangers can check by themselves. */
  sign(agentId: string, input?: SignPassportInput, options?: RequestOptions): Promise<SignedPassportToken>;
}

/** The verbs of passports over these requests. */
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

/** The condition as a header. An empty list allows no version, which no header says: there is no version 0. */
function ifMatch(versions: readonly number[]): string {
  return versions.length === 0 ? '"0"' : versions.map((version) => `"${Number(version)}"`).join();
}

/** Checks of the first argument of a method in process, as over HTTP: the id of a thing, or the filters of a list. */
import type { OptionNames } from '../../base/known-options.ts';
import { suggestion } from '../../base/nearest-name.ts';
import { invalidRequest } from '../../errors.ts';
import type { ApprovalQuery } from '../approvals/approvals.ts';
import type { AnalyticsQuery } from '../insight/analytics.ts';
import type { AuditFilter } from '../insight/audit.ts';
import type { VerificationFilter } from '../insight/verifications.ts';
import type { KeyQuery } from '../keys/keys.ts';
import type { MemberQuery } from '../members/members.ts';
import type { PassportQuery } from '../passports/list-passports.ts';
import type { PageRequest } from '../shared/pages.ts';

const PAGE: OptionNames<PageRequest> = { limit: true, cursor: true };
const VERDICTS: OptionNames<VerificationFilter> = {
  ...{ agent_id: true, verdict: true, reason: true, environment: true, dry_run: true, subject: true },
  ...{ outcome: true, from: true, to: true },
};
const CHANGES: OptionNames<AuditFilter> = { type: true, by: true, from: true, to: true };
const KEYS: OptionNames<KeyQuery> = { ...PAGE, created_by: true };
const MEMBERS: OptionNames<MemberQuery> = { ...PAGE, status: true };
const PASSPORTS: OptionNames<PassportQuery> = {
  ...PAGE,
  ...{ status: true, domain: true, parent_agent_id: true },
};
const APPROVALS: OptionNames<ApprovalQuery> = { ...PAGE, status: true, agent_id: true };
const ANALYTICS: OptionNames<AnalyticsQuery> = {
  ...{ from: true, to: true, interval: true, agent_id: true, environment: true },
};

/** The names of the filters of each list. */
const FILTERS: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  analytics: ANALYTICS,
  'approvals.list': APPROVALS,
  'audit.csv': CHANGES,
  'audit.list': { ...CHANGES, ...PAGE },
  'domains.list': PAGE,
  'keys.list': KEYS,
  'members.list': MEMBERS,
  'passports.list': PASSPORTS,
  'verifications.csv': VERDICTS,
  'verifications.list': { ...VERDICTS, ...PAGE },
};

/** The methods whose first argument is an id, by their rooms. */
const OF_ONE: Readonly<Record<string, readonly string[]>> = {
  approvals: ['get', 'wait', 'approve', 'reject'],
  keys: ['get', 'update', 'rotate', 'revoke'],
  members: ['update', 'remove', 'link', 'endSessions'],
  passports: ['get', 'versions', 'update', 'budgets', 'purge', 'effective', 'sign'],
  spends: ['get', 'commit', 'release'],
  verifications: ['receipt'],
};
const WITH_ID = new Set(
  Object.entries(OF_ONE).flatMap(([room, verbs]) => verbs.map((verb) => `${room}.${verb}`)),
);

/** Throws `invalid_request` for an id that is no text, and for a filter that the list does not have. */
export function assertArgument(verb: string, given: unknown): void {
  if (WITH_ID.has(verb)) assertId(given);
  const known = FILTERS[verb];
  if (known !== undefined) assertFilters(given, known);
}

/** Throws `invalid_request` for an id that is no text. */
export function assertId(id: unknown): void {
  if (typeof id === 'string') return;
  throw invalidRequest([{ path: '', code: 'invalid_type', message: 'The id must be a text.' }]);
}

/** Throws `invalid_request` for a page request with anything but `limit` and `cursor`. */
export function assertPage(page: unknown): void {
  assertFilters(page, PAGE);
}

function assertFilters(given: unknown, known: Readonly<Record<string, true>>): void {
  if (given === undefined) return;
  if (typeof given !== 'object' || given === null) {
    throw invalidRequest([{ path: '', code: 'invalid_type', message: 'The filters must be an object.' }]);
  }
  const names = Object.keys(known);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw invalidRequest(
    unknown.map((name) => ({
      path: `/${name}`,
      code: 'unknown_field',
      message: `There is no such filter.${suggestion(name, names)}`,
    })),
  );
}

/** The methods of an account on the service, and the options of each. */
import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import type { OwnAccount } from '../accounts/own-account.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Domains } from '../domains/domains.ts';
import type { Events } from '../events/events.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { VerdictReceipts } from '../evidence/receipts.ts';
import type { AskAnalytics } from '../insight/analytics.ts';
import type { Audit } from '../insight/audit.ts';
import type { Verifications } from '../insight/verifications.ts';
import type { Keys } from '../keys/keys.ts';
import type { AccountMembers } from '../members/members.ts';
import type { Passports } from '../passports/passports.ts';
import type { RevocationService } from '../passports/revocation.ts';
import type { KeyCaller, SessionCaller } from '../shared/callers.ts';
import type { Spends } from '../spending/spends.ts';
import type { Subjects } from '../subjects/subjects.ts';
import { assertArgument } from './checked-arguments.ts';

/** The methods of an account. The last argument of each is an object with the actor and its own options. */
export interface Management extends RevocationService, OwnAccount {
  /** Manages the API keys of an account. */
  readonly keys: Keys;
  /** Manages the passports of an account. */
  readonly passports: Passports;
  /** The amounts that verdicts have spent of budgets, or hold. */
  readonly spends: Spends;
  /** The approvals that people are asked for, and their decisions. */
  readonly approvals: Approvals;
  /** Manages the members of an account: people with roles, and the links with which they join. */
  readonly members: AccountMembers;
  /** The claims of domains, and their proofs. */
  readonly domains: Domains;
  /** Returns sums over the verdicts of a period, at a cost that does not depend on their number. */
  readonly analytics: AskAnalytics;
  /** The recorded verdicts, newest first. */
  readonly verifications: Verifications & VerdictReceipts;
  /** The changes of an account, each with its author, newest first. */
  readonly audit: Audit;
  /** The log of an account, which cannot be rewritten unseen. */
  readonly evidence: Evidence;
  /** The subjects that intents name, and their erasure. */
  readonly subjects: Subjects;
  /** The events of an account, as a stream. */
  readonly events: Events;
}

/** The option names of the actor. */
export const ACTOR: OptionNames<KeyCaller & SessionCaller> = {
  ...{ account_id: true, key_id: true, agent_ids: true, plan: true, operator: true, session_id: true },
  ...{ member_id: true, role: true, environment: true, scopes: true, request_id: true, trace_id: true },
};

/** The index of the options of a method in its arguments, and the names of its own options. */
export interface VerbRow {
  readonly at: number;
  readonly takes: Readonly<Record<string, true>>;
}

type Verb = (...given: never[]) => unknown;
type Last<Given extends readonly unknown[]> =
  Required<Given> extends readonly [...infer Front, infer Options]
    ? { readonly at: Front['length']; readonly takes: OptionNames<Omit<Options, keyof typeof ACTOR>> }
    : never;
type RowOf<Member> = Member extends (...given: infer Given) => unknown ? Last<Given> : never;
type Rows<Room, Others extends keyof Room = never> = {
  readonly [Name in Exclude<keyof Room, Others> as Room[Name] extends Verb ? Name : never]: RowOf<Room[Name]>;
};

const NONE = {};
const SIGNAL = { signal: true } as const;
const ONCE = { idempotencyKey: true } as const;
const REPLAY = { ...ONCE, onReplayed: true } as const;
const CLIENT = { client: true } as const;

/** The methods outside of rooms. A new method or option does not compile without its row. */
export const VERBS: Rows<Pick<Management, keyof RevocationService | keyof OwnAccount | 'analytics'>> = {
  revoke: { at: 1, takes: NONE },
  suspend: { at: 1, takes: NONE },
  reinstate: { at: 1, takes: NONE },
  account: { at: 0, takes: NONE },
  changePassword: { at: 1, takes: CLIENT },
  deleteAccount: { at: 1, takes: CLIENT },
  analytics: { at: 1, takes: SIGNAL },
};

/** The rows of each room. The excluded methods are of operators or internal, and take no options. */
interface RoomRows {
  readonly keys: Rows<Keys, 'authenticate'>;
  readonly passports: Rows<Passports>;
  readonly spends: Rows<Spends>;
  readonly approvals: Rows<Approvals>;
  readonly members: Rows<AccountMembers>;
  readonly domains: Rows<Domains, 'transfer'>;
  readonly verifications: Rows<Verifications & VerdictReceipts>;
  readonly audit: Rows<Audit>;
  readonly evidence: Rows<Evidence>;
  readonly subjects: Rows<Subjects>;
  readonly events: Rows<Events, 'end'>;
}

/** The methods of each room. */
export const ROOMS: RoomRows = {
  keys: {
    ...{ create: { at: 1, takes: ONCE }, list: { at: 1, takes: SIGNAL }, get: { at: 1, takes: NONE } },
    ...{ update: { at: 2, takes: NONE }, rotate: { at: 2, takes: ONCE }, revoke: { at: 1, takes: NONE } },
    activeCount: { at: 0, takes: NONE },
  },
  passports: {
    create: { at: 1, takes: { ...ONCE, standing: true } },
    createAll: { at: 1, takes: NONE },
    ...{ get: { at: 1, takes: NONE }, list: { at: 1, takes: SIGNAL }, versions: { at: 2, takes: SIGNAL } },
    update: { at: 2, takes: { ifVersion: true, ifNarrower: true, approvalId: true } },
    ...{ budgets: { at: 2, takes: NONE }, purge: { at: 1, takes: NONE } },
    ...{ effective: { at: 1, takes: SIGNAL }, try: { at: 2, takes: NONE }, sign: { at: 2, takes: NONE } },
  },
  spends: {
    ...{ get: { at: 1, takes: NONE }, commit: { at: 2, takes: REPLAY }, release: { at: 2, takes: REPLAY } },
  },
  approvals: {
    ...{ list: { at: 1, takes: SIGNAL }, get: { at: 1, takes: NONE }, wait: { at: 1, takes: SIGNAL } },
    ...{ approve: { at: 2, takes: NONE }, reject: { at: 2, takes: NONE } },
  },
  members: {
    ...{ list: { at: 1, takes: SIGNAL }, invite: { at: 1, takes: NONE }, link: { at: 1, takes: NONE } },
    ...{ update: { at: 2, takes: NONE }, remove: { at: 2, takes: NONE } },
    endSessions: { at: 1, takes: NONE },
  },
  domains: {
    ...{ claim: { at: 1, takes: SIGNAL }, claimNow: { at: 1, takes: SIGNAL }, check: { at: 1, takes: NONE } },
    ...{ list: { at: 1, takes: SIGNAL }, release: { at: 1, takes: { force: true } } },
  },
  verifications: {
    ...{ list: { at: 1, takes: SIGNAL }, csv: { at: 1, takes: SIGNAL } },
    receipt: { at: 2, takes: SIGNAL },
  },
  evidence: { state: { at: 0, takes: NONE }, entries: { at: 1, takes: SIGNAL } },
  audit: { list: { at: 1, takes: SIGNAL }, csv: { at: 1, takes: SIGNAL } },
  subjects: { erase: { at: 1, takes: NONE } },
  events: { open: { at: 1, takes: SIGNAL } },
};

/** Returns methods that refuse unknown options, because a misspelt name would be ignored. */
export function withKnownOptions(management: Management): Management {
  const rooms = Object.entries(ROOMS).map(([room, rows]) => {
    const verbs = management[room as keyof typeof ROOMS];
    return [room, { ...verbs, ...checkedVerbs(verbs, rows, `${room}.`) }];
  });
  return { ...management, ...checkedVerbs(management, VERBS), ...Object.fromEntries(rooms) };
}

function checkedVerbs(verbs: object, rows: Readonly<Record<string, VerbRow>>, room = ''): object {
  const checked = Object.entries(rows).map(([name, { at, takes }]) => {
    const verb = (verbs as Readonly<Record<string, Verb>>)[name];
    const names = { ...takes, ...ACTOR };
    const call = async (...given: never[]): Promise<unknown> => {
      assertArgument(`${room}${name}`, given[0]);
      if (given[at] !== undefined) knownOptions<object>(`${room}${name}`, given[at], names);
      return verb?.(...given);
    };
    return [name, call];
  });
  return Object.fromEntries(checked);
}

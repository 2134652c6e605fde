/** The verbs of an account on the service, and what each takes as the last object of its call. */
import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import type { OwnAccount } from '../accounts/own-account.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Domains } from '../domains/domains.ts';
import type { Events } from '../events/events.ts';
import type { AskAnalytics } from '../insight/analytics.ts';
import type { Verifications } from '../insight/verifications.ts';
import type { Keys } from '../keys/keys.ts';
import type { Passports } from '../passports/passports.ts';
import type { RevocationService } from '../passports/revocation.ts';
import type { KeyCaller, SessionCaller } from '../shared/callers.ts';
import type { Spends } from '../spending/spends.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** The verbs of an account: each takes one object of options last, in which who acts stands beside its own options. */
export interface Management extends RevocationService, OwnAccount {
  /** Manages the API keys of an account. */
  readonly keys: Keys;
  /** Manages the passports of an account. */
  readonly passports: Passports;
  /** What verdicts have spent of budgets, or hold. */
  readonly spends: Spends;
  /** What persons are asked before an agent may act, and what they say. */
  readonly approvals: Approvals;
  /** The claims of domains, and their proofs. */
  readonly domains: Domains;
  /** What happened in a stretch of time, at a cost that does not grow with the number of verdicts. */
  readonly analytics: AskAnalytics;
  /** The recorded verdicts, newest first. */
  readonly verifications: Verifications;
  /** What happens, as it happens. */
  readonly events: Events;
  /** Where events of an account are sent. */
  readonly webhooks: Webhooks;
}

/** The names of who acts. */
export const ACTOR: OptionNames<KeyCaller & SessionCaller> = {
  ...{ account_id: true, key_id: true, agent_ids: true, plan: true, operator: true, session_id: true },
  ...{ environment: true, scopes: true, request_id: true, trace_id: true },
};

/** How a verb is called: where its options stand, and which are its own. */
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

/** The verbs that are called by themselves. A new verb, or a new option, does not compile without its row. */
export const VERBS: Rows<Pick<Management, keyof RevocationService | keyof OwnAccount | 'analytics'>> = {
  revoke: { at: 1, takes: NONE },
  suspend: { at: 1, takes: NONE },
  reinstate: { at: 1, takes: NONE },
  account: { at: 0, takes: NONE },
  changePassword: { at: 1, takes: CLIENT },
  deleteAccount: { at: 1, takes: CLIENT },
  analytics: { at: 1, takes: SIGNAL },
};

/** The rows of each room. Verbs that are left out take no options: they are of operators, or the service's own. */
interface RoomRows {
  readonly keys: Rows<Keys, 'authenticate'>;
  readonly passports: Rows<Passports>;
  readonly spends: Rows<Spends>;
  readonly approvals: Rows<Approvals>;
  readonly domains: Rows<Domains, 'transfer'>;
  readonly verifications: Rows<Verifications>;
  readonly events: Rows<Events, 'end'>;
  readonly webhooks: Rows<Webhooks>;
}

/** The verbs of each room. */
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
    update: { at: 2, takes: { ifVersion: true } },
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
  domains: {
    ...{ claim: { at: 1, takes: SIGNAL }, claimNow: { at: 1, takes: SIGNAL }, check: { at: 1, takes: NONE } },
    ...{ list: { at: 1, takes: SIGNAL }, release: { at: 1, takes: { force: true } } },
  },
  verifications: { list: { at: 1, takes: SIGNAL }, csv: { at: 1, takes: SIGNAL } },
  events: { open: { at: 1, takes: SIGNAL } },
  webhooks: {
    ...{ create: { at: 1, takes: NONE }, list: { at: 1, takes: NONE }, get: { at: 1, takes: NONE } },
    ...{ update: { at: 2, takes: NONE }, remove: { at: 1, takes: NONE }, rotate: { at: 2, takes: NONE } },
    ...{
      test: { at: 1, takes: NONE },
      deliveries: { at: 2, takes: NONE },
      redeliver: { at: 2, takes: NONE },
    },
  },
};

/** The same verbs, each of which refuses an option that it does not know: a misspelt name must not widen or drop anything. */
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
      if (given[at] !== undefined) knownOptions<object>(`${room}${name}`, given[at], names);
      return verb?.(...given);
    };
    return [name, call];
  });
  return Object.fromEntries(checked);
}

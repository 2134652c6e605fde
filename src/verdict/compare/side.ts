import type { ActionSet } from '../../base/values/action.ts';
import { parseInstant } from '../../base/values/instant.ts';
import type { Passport } from '../../records.ts';
import type { Policy } from '../policy.ts';
import { type PreparedPassport, preparationOf, prepare } from '../prepare.ts';
import { attempt, demand, isRecord, ownText } from '../read.ts';

/** One of the two compared passports. The comparison treats the passport as active. */
export interface Side {
  readonly agent_id: string | undefined;
  readonly passport: PreparedPassport;
  readonly policy: Policy | undefined;
  readonly keys: readonly string[];
  readonly trusted: unknown;
  /** The instant at which the version of the passport was created, in milliseconds. */
  readonly changed: number;
  /** Replacements for the passports of the ancestors. Each replacement allows everything. */
  readonly ancestors: readonly PreparedPassport[];
}

export interface ReadableSide extends Side {
  readonly agent_id: string;
  readonly policy: Policy;
}

const ACTIVE = { status: 'active', suspended_until: null, revoked_at: null } as const;

export function sideOf(given: Passport): Side {
  const active = attempt(() => {
    demand(isRecord(given) && Object.getOwnPropertyNames(given).length === Object.keys(given).length);
    return { ...given, ...ACTIVE };
  });
  const passport = prepare(active as Passport);
  const { agent_id, policy } = preparationOf(passport);
  return {
    agent_id,
    passport,
    policy: agent_id === undefined ? undefined : policy,
    keys: attempt(() => keysOf(active)) ?? [],
    trusted: active?.trusted_issuers,
    changed: attempt(() => parseInstant(active?.updated_at ?? '')) ?? 0,
    ancestors: policy?.parent === undefined ? [] : [boundless(policy.parent)],
  };
}

export function isReadable(side: Side): side is ReadableSide {
  return side.policy !== undefined;
}

/**
 * @internal The indexes of the lists of actions in `actionLists`. After them come the lists of the budgets, and then
 * the lists of the paces.
 */
export const LISTS = { allowed: 0, denied: 1, monetary: 2, approval: 3, budgets: 4 } as const;

export function actionLists(policy: Policy): readonly (ActionSet | undefined)[] {
  const { allowed, denied, monetary, approval, budgets = [], paces = [] } = policy;
  const counted = [...budgets, ...paces].map(({ actions }) => actions);
  return [allowed, denied, monetary, approval?.actions, ...counted];
}

function keysOf(passport: Passport | undefined): readonly string[] {
  return (passport?.public_keys ?? []).map((key) =>
    ['crv', 'x', 'y'].map((member) => ownText(key, member) ?? '').join(' '),
  );
}

/** Returns a passport that allows every action. The comparison uses it for the parent, which is not compared. */
function boundless(agent_id: string): PreparedPassport {
  const passport = { agent_id, status: 'active', allowed_actions: ['*'], monetary_limit_per_txn: 1e15 };
  return prepare(passport as unknown as Passport);
}

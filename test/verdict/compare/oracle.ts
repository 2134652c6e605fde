import {
  type ApprovalFact,
  decide,
  type Intent,
  type Passport,
  type PreparedPassport,
  type ProofFact,
  prepare,
} from '../../../src/verdict/index.ts';
import { ACTIONS, AGENT, CURRENCIES, type Draw, HOURS, KEYS, PATTERNS, TARGETS } from './random-pairs.ts';

/** The events of the world, which each passport evaluates for itself. */
export interface World {
  readonly intent: Intent;
  readonly at: number;
  /** What was spent of each counter: its name, window and unit. */
  readonly spent: Readonly<Record<string, number>>;
  /** The key that signed, and whether it signed the intent. */
  readonly signed: { readonly key: string; readonly bound: boolean } | undefined;
  /** The approval that is named: its state, or its age in seconds once a person has agreed. */
  readonly approval: ApprovalFact['state'] | number | undefined;
  /** Which of the passports above exist. */
  readonly parents: readonly string[];
}

/** A passport with what its answers to a world are made of. */
export interface Asked {
  readonly passport: Passport;
  readonly prepared: PreparedPassport;
}

export function asked(passport: Passport): Asked {
  const active = { ...passport, status: 'active' as const };
  return { passport: active, prepared: prepare(active) };
}

function counterOf(name: string, window: string, unit: string): string {
  return `${name} ${window} ${unit}`;
}

/** Says which of two passports allow what happens in a world. */
export function allowedBy(world: World, sides: readonly [Asked, Asked]): readonly boolean[] {
  const needs = sides.map(({ passport }) => passport.approval !== undefined);
  const answers = sides.map((side) => verdictOn(world, side, undefined));
  const isAsked = answers.map(({ code }, place) => needs[place] && code === 'approval_required');
  return sides.map((side, place) => {
    const code = answers[place]?.code;
    if (world.approval === undefined || (code !== undefined && !isAsked[place])) return code === undefined;
    const age = typeof world.approval === 'number' ? world.approval : undefined;
    const stateFor = (other: number): ApprovalFact['state'] | undefined => {
      const seconds = sides[other]?.passport.approval?.seconds ?? 3_600;
      return isAsked[other] ? ((age ?? 0) <= seconds ? 'approved' : 'expired') : undefined;
    };
    // An approval that is not needed has the state that it has under the passport that needs it.
    const state = age === undefined ? world.approval : (stateFor(place) ?? stateFor(1 - place) ?? 'approved');
    return verdictOn(world, side, { state: state as ApprovalFact['state'] }).code === undefined;
  });
}

function verdictOn(world: World, { passport, prepared }: Asked, approval: ApprovalFact | undefined) {
  const used = (passport.budgets ?? []).map(({ name, window, limit }) => {
    const unit = limit === undefined ? 'count' : String(passport.currency);
    const units = world.spent[counterOf(name ?? window, window, unit)] ?? 0;
    return [name ?? window, limit === undefined ? { count: Math.floor(units) } : { spent: units }];
  });
  const { signed } = world;
  const isKnown = passport.public_keys?.some(({ kid }) => kid === signed?.key) ?? false;
  const proof: ProofFact | undefined =
    signed &&
    (isKnown
      ? { state: 'valid', kid: signed.key, bound: signed.bound }
      : { state: 'invalid', problem: 'key' });
  const { parent_agent_id: parent } = passport;
  const above = parent !== undefined && world.parents.includes(parent) ? [boundless(parent)] : [];
  const { reasons } = decide({
    passport: prepared,
    intent: world.intent,
    at: world.at,
    ancestors: above,
    budgets: { [AGENT]: Object.fromEntries(used) },
    ...(proof && { proof }),
    ...(approval && { approval }),
  });
  return { code: reasons[0]?.code };
}

function boundless(agent_id: string): Passport {
  const all = { agent_id, status: 'active', allowed_actions: ['*'], monetary_limit_per_txn: 1e15 };
  return all as unknown as Passport;
}

/** Makes a world in which one of the two passports often allows: of the values at the borders of its rules. */
export function worldFor(draw: Draw, sides: readonly [Asked, Asked]): World {
  const { chance, one } = draw;
  const aim = one(sides).passport;
  const { currency } = aim;
  const entry =
    chance(0.8) && aim.allowed_actions.length > 0 ? one(aim.allowed_actions) : one([...ACTIONS, ...PATTERNS]);
  const action = entry.endsWith('*')
    ? entry.slice(0, -1) + one(['z', 'any', 'b', 'a', 'b.c', '.', 'aa'])
    : entry;
  const goal =
    chance(0.9) && aim.allowed_targets !== undefined
      ? one([...aim.allowed_targets, 'did:key:z'])
      : one(TARGETS);
  const target = (goal ?? '').replace('*', one(['any', 'x', 'q.x']));
  const unit = { JPY: 1, EUR: 0.01, KWD: 0.001, CLF: 0.0001 }[currency ?? one(['EUR', 'JPY'])] ?? 0.000001;
  const border = Number(
    one([0, 0, 1, 2, 2.5, 10, ...sides.map(({ passport }) => passport.monetary_limit_per_txn)]),
  );
  const amount = Number((border + one([0, 0, unit, -unit])).toFixed(6));
  const named = chance(0.85) ? currency : one([...CURRENCIES, undefined]);
  const parameters = {
    ...(chance(0.6) && amount >= 0 && { amount }),
    ...(named !== undefined && chance(0.95) && { currency: named }),
  };
  const isAimed = chance(0.85);
  const spent: Record<string, number> = {};
  for (const { passport } of sides) {
    for (const { name = '', window, limit } of passport.budgets ?? []) {
      const counter = counterOf(name, window, limit === undefined ? 'count' : String(passport.currency));
      spent[counter] = one([0, 0, 0, 1, 2, 3]);
    }
  }
  const keys = aim.public_keys?.map(({ kid }) => kid) ?? [];
  const needsProof = aim.proof === 'identity' || aim.proof === 'intent';
  return {
    intent: { agent_id: AGENT, action, ...(chance(0.7) && { target }), parameters },
    at:
      Date.parse(isAimed ? (aim.not_before ?? HOURS[2] ?? '') : one(HOURS)) + (isAimed ? 0 : one([-1, 0, 1])),
    spent,
    signed: needsProof || chance(0.15) ? { key: one([...keys, ...KEYS]), bound: chance(0.7) } : undefined,
    approval: one([undefined, undefined, 60, 61, 120, 0, 0, 'approved', 'pending'] as const),
    parents: chance(0.9) ? ['did:web:p.com:agents:p', 'did:web:p.com:agents:q'] : ['did:web:p.com:agents:p'],
  };
}

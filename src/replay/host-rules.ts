/** Evaluates the rules of the application with recorded facts. Detects each access to a fact that was not recorded. */

import type { UnknownCode } from '../records/replay.ts';
import type { Reason } from '../records.ts';
import { defaultRules, type Facts, type PreparedPassport, type Rule } from '../verdict/index.ts';
import { readTarget } from '../verdict/policy.ts';
import { preparationOf } from '../verdict/prepare.ts';
import { ask, failed } from '../verdict/rule-list.ts';
import { amountUnder } from './chains.ts';
import type { AskedRow } from './recorded-reasons.ts';

/** The certain reasons of the rules. If there are none, `unknown` is the cause why an `ALLOW` is unknown. */
export interface HostAnswer {
  readonly reasons: readonly Reason[];
  readonly unknown: UnknownCode | undefined;
}

export type AskHostRules = (passport: PreparedPassport, asked: AskedRow) => HostAnswer;

interface Noted {
  /** `true` if the rule has accessed the intent but not yet read a member of it. */
  isAsked: boolean;
  parameters: boolean;
  erased: boolean;
  /** `true` if the rule has accessed the parameters but not yet read a member of them. */
  isTaken: boolean;
  wasTaken: boolean;
}

const ALLOWED: HostAnswer = { reasons: [], unknown: undefined };

/**
 * Creates the function that calls the rules of the application. Returns `undefined` if there are only default rules.
 */
export function hostRules(rules: readonly Rule[]): AskHostRules | undefined {
  if (rules === defaultRules) return undefined;
  const isWhole = defaultRules.every((rule) => rules.includes(rule));
  const own = rules.filter((rule) => !defaultRules.includes(rule));
  if (isWhole && own.length === 0) return undefined;
  const noted: Noted = { isAsked: false, parameters: false, erased: false, isTaken: false, wasTaken: false };
  const notedFacts = createNotedFacts(noted);
  return (passport, asked) => {
    if (!isWhole) return { reasons: [failed('rules')], unknown: undefined };
    const { shown, policy } = preparationOf(passport);
    if (shown === undefined || policy === undefined) return ALLOWED;
    const facts = {
      passport: shown,
      at: asked.at,
      action: asked.action,
      target: readTarget(asked.target, false),
      amount: amountUnder(policy, asked),
      currency: asked.currency,
    };
    const certain: Reason[] = [];
    let unknown: UnknownCode | undefined;
    for (const rule of own) {
      noted.isAsked = false;
      noted.parameters = false;
      noted.erased = false;
      noted.isTaken = false;
      noted.wasTaken = false;
      // An intent for each rule: what one of them keeps of it is noted where it is read.
      const reasons = ask([rule], notedFacts(facts, asked));
      const cause = unknownCause(noted, reasons);
      if (cause === undefined) certain.push(...reasons);
      else if (unknown !== 'parameters') unknown = cause;
    }
    return certain.length > 0 ? { reasons: certain, unknown: undefined } : { reasons: [], unknown };
  };
}

/** Returns why the answer of a rule is uncertain: the rule has read a fact that was not recorded. */
function unknownCause(noted: Noted, reasons: readonly Reason[]): 'parameters' | 'erased' | undefined {
  // A rule that fails may fail because it was given no plain object.
  const isFailed = noted.wasTaken && reasons.some(({ code }) => code === 'rule_failed');
  if (noted.parameters || noted.isTaken || noted.isAsked || isFailed) return 'parameters';
  return noted.erased ? 'erased' : undefined;
}

/**
 * Creates the function that returns the facts for a rule. A getter of the facts detects that a rule reads the
 * intent. A proxy is not used, because a rule that copies a proxy fails before it reads anything. The getter
 * is created only once, because an object with its own getter needs a new hidden class, which takes 2 µs.
 */
function createNotedFacts(noted: Noted): (facts: Omit<Facts, 'intent'>, asked: AskedRow) => Facts {
  let current: { readonly facts: object; readonly asked: AskedRow } | undefined;
  let made: object | undefined;
  const intent = {
    enumerable: true,
    get(this: unknown): object {
      noted.isAsked = true;
      noted.wasTaken = true;
      // Of facts that a rule has kept, or that are looked at through another object, no intent is known.
      if (current === undefined || this !== current.facts) noted.parameters = true;
      if (current !== undefined) made ??= notedIntent(current.asked, noted);
      return made ?? {};
    },
  };
  // What prints the facts in Node does not call the getter.
  function inspect(this: Facts): object {
    noted.parameters = true;
    const { passport, at, action, target, amount, currency } = this;
    return { passport, at, action, target, amount, currency };
  }
  return ({ passport, at, action, target, amount, currency }, asked) => {
    const facts = { passport, at, action, target, amount, currency, [INSPECT]: inspect };
    Object.defineProperty(facts, 'intent', intent);
    current = { facts, asked };
    made = undefined;
    return Object.freeze(facts) as unknown as Facts;
  };
}

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

function notedIntent(asked: AskedRow, noted: Noted): object {
  const { agent_id, action, target, amount, currency } = asked;
  const known: Record<string, unknown> = { agent_id, action };
  if (target !== undefined) known['target'] = target;
  if (asked.hasApprovals && asked.approval_id !== null) known['approval_id'] = asked.approval_id;
  if (asked.hasApprovals && asked.hold_seconds !== null) known['hold_seconds'] = asked.hold_seconds;
  if (asked.subject !== null) known['subject'] = asked.subject;
  // Whether there were any is not recorded when none of them was judged.
  const hasParameters = amount !== undefined || currency !== undefined;
  known['parameters'] = notedParameters(asked, noted);
  const look = (name: string | symbol): void => {
    noted.isAsked = false;
    if (name === 'parameters') {
      if (hasParameters) noted.isTaken = true;
      else noted.parameters = true;
    }
    if (name === 'subject' && asked.isErased) noted.erased = true;
    if ((name === 'approval_id' || name === 'hold_seconds') && !asked.hasApprovals) noted.parameters = true;
  };
  const lookAtAll = (): void => {
    look('subject');
    look('approval_id');
    if (!hasParameters) noted.parameters = true;
  };
  return twice(Object.freeze(known), look, lookAtAll);
}

function notedParameters({ amount, currency }: AskedRow, noted: Noted): object {
  const known: Record<string, unknown> = {};
  if (amount !== undefined && amount !== null) known['amount'] = amount;
  if (currency !== undefined && currency !== null) known['currency'] = currency;
  const look = (name: string | symbol): void => {
    const isRecorded = (name === 'amount' && amount !== null) || (name === 'currency' && currency !== null);
    if (isRecorded || typeof name === 'symbol') noted.isTaken = false;
    else noted.parameters = true;
  };
  return twice(Object.freeze(known), look, () => {
    noted.parameters = true;
  });
}

/**
 * Creates a proxy of the object. The proxy calls `look` for each name that is read, and `lookAtAll` when the names are
 * listed.
 */
function twice(of: object, look: (name: string | symbol) => void, lookAtAll: () => void): object {
  // A proxy of a proxy: what looks through one, as `util.inspect` does, meets the other.
  return noting(noting(of, look, lookAtAll), look, lookAtAll);
}

function noting(of: object, look: (name: string | symbol) => void, lookAtAll: () => void): object {
  return new Proxy(of, {
    get(target, name, receiver) {
      look(name);
      return Reflect.get(target, name, receiver);
    },
    has(target, name) {
      look(name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      look(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    ownKeys(target) {
      lookAtAll();
      return Reflect.ownKeys(target);
    },
  });
}

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
export interface ApplicationAnswer {
  readonly reasons: readonly Reason[];
  readonly unknown: UnknownCode | undefined;
}

export type AskApplicationRules = (passport: PreparedPassport, row: AskedRow) => ApplicationAnswer;

interface Noted {
  /** `true` if the rule has accessed the intent but not yet read a member of it. */
  isAsked: boolean;
  parameters: boolean;
  erased: boolean;
  /** `true` if the rule has accessed the parameters but not yet read a member of them. */
  isTaken: boolean;
  wasTaken: boolean;
}

const ALLOWED: ApplicationAnswer = { reasons: [], unknown: undefined };

/**
 * Creates the function that calls the rules of the application. Returns `undefined` if there are only default rules.
 */
export function applicationRules(rules: readonly Rule[]): AskApplicationRules | undefined {
  if (rules === defaultRules) return undefined;
  const isWhole = defaultRules.every((rule) => rules.includes(rule));
  const ownRules = rules.filter((rule) => !defaultRules.includes(rule));
  if (isWhole && ownRules.length === 0) return undefined;
  const notes: Noted = { isAsked: false, parameters: false, erased: false, isTaken: false, wasTaken: false };
  const notedFacts = createNotedFacts(notes);
  return (passport, row) => {
    if (!isWhole) return { reasons: [failed('rules')], unknown: undefined };
    const { shown, policy } = preparationOf(passport);
    if (shown === undefined || policy === undefined) return ALLOWED;
    const facts = {
      passport: shown,
      at: row.at,
      action: row.action,
      target: readTarget(row.target, false),
      amount: amountUnder(policy, row),
      currency: row.currency,
    };
    const certain: Reason[] = [];
    let unknown: UnknownCode | undefined;
    for (const rule of ownRules) {
      notes.isAsked = false;
      notes.parameters = false;
      notes.erased = false;
      notes.isTaken = false;
      notes.wasTaken = false;
      // An intent for each rule: what one of them keeps of it is noted where it is read.
      const reasons = ask([rule], notedFacts(facts, row));
      const cause = unknownCause(notes, reasons);
      if (cause === undefined) certain.push(...reasons);
      else if (unknown !== 'parameters') unknown = cause;
    }
    return certain.length > 0 ? { reasons: certain, unknown: undefined } : { reasons: [], unknown };
  };
}

/** Returns why the answer of a rule is uncertain: the rule has read a fact that was not recorded. */
function unknownCause(notes: Noted, reasons: readonly Reason[]): 'parameters' | 'erased' | undefined {
  // A rule that fails may fail because it was given no plain object.
  const isFailed = notes.wasTaken && reasons.some(({ code }) => code === 'rule_failed');
  if (notes.parameters || notes.isTaken || notes.isAsked || isFailed) return 'parameters';
  return notes.erased ? 'erased' : undefined;
}

/**
 * Creates the function that returns the facts for a rule. A getter of the facts detects that a rule reads the
 * intent. A proxy is not used, because a rule that copies a proxy fails before it reads anything. The getter
 * is created only once, because an object with its own getter needs a new hidden class, which takes 2 µs.
 */
function createNotedFacts(notes: Noted): (facts: Omit<Facts, 'intent'>, row: AskedRow) => Facts {
  let current: { readonly facts: object; readonly asked: AskedRow } | undefined;
  let result: object | undefined;
  const intent = {
    enumerable: true,
    get(this: unknown): object {
      notes.isAsked = true;
      notes.wasTaken = true;
      // Of facts that a rule has kept, or that are looked at through another object, no intent is known.
      if (current === undefined || this !== current.facts) notes.parameters = true;
      if (current !== undefined) result ??= notedIntent(current.asked, notes);
      return result ?? {};
    },
  };
  // What prints the facts in Node does not call the getter.
  function inspect(this: Facts): object {
    notes.parameters = true;
    const { passport, at, action, target, amount, currency } = this;
    return { passport, at, action, target, amount, currency };
  }
  return ({ passport, at, action, target, amount, currency }, row) => {
    const facts = { passport, at, action, target, amount, currency, [INSPECT]: inspect };
    Object.defineProperty(facts, 'intent', intent);
    current = { facts, asked: row };
    result = undefined;
    return Object.freeze(facts) as unknown as Facts;
  };
}

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

function notedIntent(row: AskedRow, notes: Noted): object {
  const { agent_id, action, target, amount, currency } = row;
  const knownFields: Record<string, unknown> = { agent_id, action };
  if (target !== undefined) knownFields['target'] = target;
  if (row.hasApprovals && row.approval_id !== null) knownFields['approval_id'] = row.approval_id;
  if (row.hasApprovals && row.hold_seconds !== null) knownFields['hold_seconds'] = row.hold_seconds;
  if (row.subject !== null) knownFields['subject'] = row.subject;
  // Whether there were any is not recorded when none of them was judged.
  const hasParameters = amount !== undefined || currency !== undefined;
  knownFields['parameters'] = notedParameters(row, notes);
  const look = (name: string | symbol): void => {
    notes.isAsked = false;
    if (name === 'parameters') {
      if (hasParameters) notes.isTaken = true;
      else notes.parameters = true;
    }
    if (name === 'subject' && row.isErased) notes.erased = true;
    if ((name === 'approval_id' || name === 'hold_seconds') && !row.hasApprovals) notes.parameters = true;
  };
  const lookAtAll = (): void => {
    look('subject');
    look('approval_id');
    if (!hasParameters) notes.parameters = true;
  };
  return twice(Object.freeze(knownFields), look, lookAtAll);
}

function notedParameters({ amount, currency }: AskedRow, notes: Noted): object {
  const knownFields: Record<string, unknown> = {};
  if (amount !== undefined && amount !== null) knownFields['amount'] = amount;
  if (currency !== undefined && currency !== null) knownFields['currency'] = currency;
  const look = (name: string | symbol): void => {
    const isRecorded = (name === 'amount' && amount !== null) || (name === 'currency' && currency !== null);
    if (isRecorded || typeof name === 'symbol') notes.isTaken = false;
    else notes.parameters = true;
  };
  return twice(Object.freeze(knownFields), look, () => {
    notes.parameters = true;
  });
}

/**
 * Creates a proxy of the object. The proxy calls `look` for each name that is read, and `lookAtAll` when the names are
 * listed.
 */
function twice(target: object, look: (name: string | symbol) => void, lookAtAll: () => void): object {
  // A proxy of a proxy: what looks through one, as `util.inspect` does, meets the other.
  return noting(noting(target, look, lookAtAll), look, lookAtAll);
}

function noting(watchedObject: object, look: (name: string | symbol) => void, lookAtAll: () => void): object {
  return new Proxy(watchedObject, {
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

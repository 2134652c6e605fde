/**
 * Describes the valid values of the fields of paces and rules of order, for error messages. A pace limits the
 * number of actions in any period of a given length. A rule of order needs or forbids earlier actions.
 */

import { MAX_ENTRIES } from '../base/values/field-limits.ts';
import { MAX_FAILED, MAX_ORDER_SECONDS, MAX_ORDERS, MAX_SAME } from '../base/values/order.ts';
import { MAX_PACE, MAX_PACE_SECONDS, MAX_PACES } from '../base/values/pace.ts';
import { MAX_SESSION_LENGTH } from '../base/values/session.ts';
import type { Order, OrderForbids, Pace } from '../records.ts';

const NAME = 'a name such as tested: a lower-case letter, then at most 31 of a-z, 0-9, _ and -';
const ACTIONS = `a list of 1 to ${MAX_ENTRIES} actions and patterns, such as ["deploy.run", "orders.*"]`;

export const ORDER_LIST: string = `a list of at most ${MAX_ORDERS} rules with name, actions, and needs or forbids`;
export const ORDER_RULE = 'an object with name, actions, and exactly one of needs and forbids';
export const SAME_VALUE = 'session, target or a JSON Pointer such as /commit, without *';
export const SESSION: string = `text of 1 to ${MAX_SESSION_LENGTH} printable ASCII characters without a space`;

export const OF_ORDERS: Readonly<Record<keyof Order, string>> = {
  name: NAME,
  actions: ACTIONS,
  needs: 'an object with actions and seconds',
  forbids: 'an object with actions and seconds',
  same: `a list of at most ${MAX_SAME} different values, such as ["session"]`,
};

export const OF_EARLIER: Readonly<Record<keyof OrderForbids, string>> = {
  actions: ACTIONS,
  seconds: `a whole number from 1 to ${MAX_ORDER_SECONDS.toLocaleString('en')}`,
  failed: `a whole number from 1 to ${MAX_FAILED}, in forbids alone`,
};

export const PACE_LIST: string = `a list of at most ${MAX_PACES} paces, such as [{"max": 5, "seconds": 60}]`;

export const OF_PACES: Readonly<Record<keyof Pace, string>> = {
  name: NAME,
  actions: ACTIONS,
  max: `a whole number from 1 to ${MAX_PACE.toLocaleString('en')}`,
  seconds: `a whole number from 1 to ${MAX_PACE_SECONDS.toLocaleString('en')}`,
};

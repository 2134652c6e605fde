/** The grammar of the rules of order of a passport. */
import type { Order, OrderForbids } from '../../records.ts';
import { isActionEntry } from './action.ts';
import { isBudgetName } from './budget.ts';
import { EVERY, listFaults, type RuleFault, stepsOf } from './conditions/condition.ts';
import { MAX_ENTRIES } from './field-limits.ts';
import { isWhole, PACE_NAME } from './pace.ts';

export const MAX_ORDERS = 8;

export const MAX_ORDER_SECONDS = 86_400;

export const MAX_FAILED = 100;

/** The maximum number of values that intents must share to be counted together. */
export const MAX_SAME = 3;

const FIELDS: Readonly<Record<keyof Order, true>> = {
  name: true,
  actions: true,
  needs: true,
  forbids: true,
  same: true,
};

const PART_FIELDS: Readonly<Record<keyof OrderForbids, true>> = {
  actions: true,
  seconds: true,
  failed: true,
};

/**
 * Returns the errors in the rules of order of a passport, given as plain data; none if the rules can be
 * evaluated. `paces` are the paces of the same passport, because names must be unique across both.
 */
export function orderFaults(orders: unknown, paces?: unknown): readonly RuleFault[] {
  if (!Array.isArray(orders)) return [{ path: '', code: 'wrong_type' }];
  if (orders.length > MAX_ORDERS) return [{ path: '', code: 'too_many' }];
  const names = new Set(Array.isArray(paces) ? paces.map((pace) => Object(pace).name ?? PACE_NAME) : []);
  return orders.flatMap((order: unknown, place) => {
    const faults = faultsOf(order);
    const { name }: { readonly name?: unknown } = Object(order);
    const isTaken = typeof name === 'string' && names.has(name);
    names.add(name);
    const allFaults = isTaken ? [...faults, { path: '/name', code: 'duplicate' as const }] : faults;
    return allFaults.map(({ path, code }) => ({ path: `/${place}${path}`, code }));
  });
}

function faultsOf(order: unknown): readonly RuleFault[] {
  if (!isObject(order)) return [{ path: '', code: 'wrong_type' }];
  const { name, actions, needs, forbids, same }: { readonly [Field in keyof Order]?: unknown } = order;
  const isOne = (needs === undefined) !== (forbids === undefined);
  return [
    ...unknownFields(order, FIELDS),
    ...nameFaults(name),
    ...actionFaults(actions),
    ...(isOne ? [] : [{ path: '', code: needs === undefined ? 'required' : 'malformed' } as const]),
    ...(needs === undefined ? [] : partFaults('/needs', needs)),
    ...(forbids === undefined ? [] : partFaults('/forbids', forbids)),
    ...(same === undefined ? [] : listFaults('/same', same, { items: [0, MAX_SAME], isEntry: isSame })),
  ];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownFields(holder: object, fields: Readonly<Record<string, true>>): readonly RuleFault[] {
  return Object.keys(holder)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({
      path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      code: 'unknown_field',
    }));
}

function nameFaults(name: unknown): readonly RuleFault[] {
  if (name === undefined) return [{ path: '/name', code: 'required' }];
  if (typeof name !== 'string') return [{ path: '/name', code: 'wrong_type' }];
  return isBudgetName(name) ? [] : [{ path: '/name', code: 'malformed' }];
}

function actionFaults(actions: unknown): readonly RuleFault[] {
  const path = '/actions';
  if (actions === undefined) return [{ path, code: 'required' }];
  if (!Array.isArray(actions)) return [{ path, code: 'wrong_type' }];
  if (actions.length === 0) return [{ path, code: 'too_few' }];
  if (actions.length > MAX_ENTRIES) return [{ path, code: 'too_many' }];
  return actions.flatMap((entry: unknown, place): readonly RuleFault[] =>
    typeof entry === 'string' && isActionEntry(entry)
      ? []
      : [{ path: `${path}/${place}`, code: 'malformed' }],
  );
}

function partFaults(path: '/needs' | '/forbids', part: unknown): readonly RuleFault[] {
  if (!isObject(part)) return [{ path, code: 'wrong_type' }];
  const { actions, seconds, failed }: { readonly [Field in keyof OrderForbids]?: unknown } = part;
  const faults: RuleFault[] = [...unknownFields(part, PART_FIELDS), ...actionFaults(actions)];
  if (seconds === undefined) faults.push({ path: '/seconds', code: 'required' });
  else if (!isWhole(seconds, MAX_ORDER_SECONDS)) faults.push({ path: '/seconds', code: 'malformed' });
  if (failed !== undefined && path === '/needs') faults.push({ path: '/failed', code: 'unknown_field' });
  else if (failed !== undefined && !isWhole(failed, MAX_FAILED))
    faults.push({ path: '/failed', code: 'malformed' });
  return faults.map((fault) => ({ path: path + fault.path, code: fault.code }));
}

function isSame(entry: unknown): boolean {
  if (entry === 'session' || entry === 'target') return true;
  const steps = stepsOf(entry);
  return steps !== undefined && steps.length > 0 && !steps.includes(EVERY);
}

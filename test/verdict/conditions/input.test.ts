/** That a passport gets no condition that the contract refuses, and that the error names the place. */
import { describe, expect, test } from 'vitest';
import { IdentityError } from '../../../src/errors.ts';
import { decide } from '../../../src/verdict/index.ts';
import { AT } from '../../support/question.ts';
import { seedOf, sized } from '../../support/runs.ts';
import { openLocalService } from '../../support/service.ts';
import { conditionOf } from './arbitraries.ts';
import { intentOf, passportWith } from './asking.ts';
import { createDraw, type Draw } from './draw.ts';
import { conditionErrors } from './reference-input.ts';
import { RIGHT, WRONG, WRONG_LISTS } from './wrong-input.ts';

const AGENT = { domain: 'example.com', allowed_actions: ['*'], monetary_limit_per_txn: 0 };

/** Issues passports; the places that a refusal names, none for an issued one. */
function openIssuer(): (conditions: unknown) => Promise<readonly string[]> {
  const { service } = openLocalService();
  let issued = 0;
  return async (conditions) => {
    issued += 1;
    const input = { ...AGENT, agent_name: `agent-${issued}`, conditions };
    try {
      const { conditions: stored } = (await service.passports.create(input as never)) as never as {
        conditions: unknown;
      };
      expect(conditionErrors(stored)).toEqual([]);
      return [];
    } catch (error) {
      if (!(error instanceof IdentityError) || error.code !== 'invalid_request') throw error;
      return [...new Set((error.details.errors ?? []).map(({ path }) => path))];
    }
  };
}

describe('a passport', () => {
  test('is refused with the place of the one part that is wrong', async () => {
    const placesOf = openIssuer();
    const unlike: unknown[] = [];
    const all = [
      ...WRONG_LISTS,
      ...WRONG.map(([condition, [path = '']]) => [[condition], [`/conditions/0${path}`]] as const),
    ];
    for (const [conditions, places] of all) {
      const named = await placesOf(conditions);
      if (named.join() !== places.join()) unlike.push([conditions, named, places]);
    }
    expect(unlike).toEqual([]);
  });

  test('may have what stands at the borders, up to 16 of them', async () => {
    const placesOf = openIssuer();
    for (const condition of RIGHT) expect([condition, await placesOf([condition])]).toEqual([condition, []]);
    expect(await placesOf([])).toEqual([]);
    expect(await placesOf(Array.from({ length: 16 }, () => ({ at: '/a', present: true })))).toEqual([]);
  });

  test('is refused exactly if the second reading refuses it', async () => {
    const placesOf = openIssuer();
    const seed = seedOf(20261128);
    const draw = createDraw(seed);
    for (let index = 0; index < sized(5_000, 500); index += 1) {
      const condition = draw.chance(0.3) ? conditionOf(draw) : changed(draw, conditionOf(draw));
      const expected = conditionErrors([condition]);
      const named = await placesOf([condition]);
      // Of several faults in one place, an answer may name the first.
      const isRight =
        expected.length === 0 ? named.length === 0 : named.some((path) => expected.includes(path));
      if (!isRight) expect.fail(`seed ${seed}: ${JSON.stringify({ condition, named, expected })}`);
    }
  });
});

test('a passport with a condition that cannot be read allows nothing', () => {
  const rows = [...WRONG_LISTS.map(([conditions]) => conditions), ...WRONG.map(([condition]) => [condition])];
  const allowing = rows.filter((conditions) => {
    const passport = passportWith(conditions as never);
    return [{}, { a: 'x' }, undefined].some(
      (parameters) => decide({ passport, intent: intentOf('b', parameters), at: AT }).verdict === 'ALLOW',
    );
  });
  expect(allowing).toEqual([]);
});

/** The condition with one part that is often wrong. */
function changed(draw: Draw, condition: object): object {
  const names = Object.keys(condition);
  const name = draw.one(names);
  const value: unknown = Object(condition)[name];
  const others: readonly unknown[] = [
    undefined,
    null,
    true,
    false,
    '',
    0,
    -1,
    1e6,
    'x',
    [],
    {},
    ['x', 'x'],
    [null],
    '/x/-',
  ];
  return draw.one<() => object>([
    () => ({ ...condition, [name]: draw.one(others) }),
    () => ({
      ...condition,
      [draw.one(['note', 'in', 'max', 'present', 'optional', 'actions'])]: draw.one(others),
    }),
    () => Object.fromEntries(Object.entries(condition).filter(([other]) => other !== name)),
    () => ({
      ...condition,
      ...(Array.isArray(value) && { [name]: [...value, draw.one([...value, '', ' ', 'A', '/', 7])] }),
    }),
  ])();
}

import { describe, expect, test } from 'vitest';
import { compare } from '../../../src/verdict/compare/index.ts';
import type { Passport } from '../../../src/verdict/index.ts';
import { compared, passport } from './expectations.ts';
import { AGENT } from './random-pairs.ts';

describe('a comparison of long entries', () => {
  const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/.:'];
  const prefix = (length: number) => `${'x'.repeat(length - 1)}.`;

  test('finds the one continuation of 127 characters that no entry names', () => {
    const all = CHARACTERS.map((last) => prefix(127) + last);
    const pattern = `${prefix(127)}*`;
    expect(compared({ allowed_actions: all }, { allowed_actions: [pattern] }).result).toBe('equal');
    for (const action of [all[0], all[30], all.at(-1)]) {
      const others = all.filter((one) => one !== action);
      const { wider } = compared({ allowed_actions: others }, { allowed_actions: [pattern] });
      expect(wider.map(({ intent }) => intent?.action)).toEqual([action]);
    }
  });

  test('tries all continuations of 126 characters', () => {
    const start = prefix(126);
    const all = CHARACTERS.flatMap((last) => [
      start + last,
      ...CHARACTERS.map((next) => start + last + next),
    ]);
    const [dots, others] = [
      all.filter((one) => one.startsWith(`${start}.`)),
      all.filter((one) => !one.startsWith(`${start}.`)),
    ];
    expect(dots.length).toBe(CHARACTERS.length + 1);
    expect(compared({ allowed_actions: all }, { allowed_actions: [`${start}*`] }).result).toBe('equal');
    const narrow = { allowed_actions: [...others, `${start}.`, `${start}.*`] };
    expect(compared(narrow, { allowed_actions: [`${start}*`] }).result).toBe('equal');
    for (const action of [`${start}zz`, `${start}:b`]) {
      const listed = narrow.allowed_actions.filter((one) => one !== action);
      const { wider } = compared({ allowed_actions: listed }, { allowed_actions: [`${start}*`] });
      expect(wider.map(({ intent }) => intent?.action)).toEqual([action]);
    }
  });

  test('knows that a pattern of hosts at 253 characters names none', () => {
    const host = (length: number) => `${`${'x'.repeat(49)}.`.repeat(6).slice(0, length - 2)}.c`;
    const targets = (length: number) => ({ allowed_targets: [`did:web:*.${host(length)}`] });
    expect(compared({ allowed_targets: [] }, targets(251)).result).toBe('wider');
    expect(compared({ allowed_targets: [] }, targets(252)).result).toBe('equal');
    expect(compared({ allowed_targets: [] }, targets(253)).result).toBe('equal');
  });

  test('finds a target of a pattern whose hosts are all listed', () => {
    const listed = ['did:web:any.a.com', 'did:web:any.a.com:1', 'did:web:*.b.a.com'];
    const { wider } = compared({ allowed_targets: listed }, { allowed_targets: ['did:web:*.a.com'] });
    expect(wider.map(({ intent }) => intent?.target)).toEqual(['did:web:any.a.com:2']);
  });
});

describe('a comparison of any values', () => {
  test('never throws', () => {
    const odd: unknown[] = [
      undefined,
      null,
      0,
      'x',
      [],
      {},
      { agent_id: 7 },
      Object.create({ agent_id: AGENT }),
      () => 1,
    ];
    const throwing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    for (const one of [
      ...odd,
      throwing,
      { ...passport(), public_keys: 7 },
      { ...passport(), public_keys: [null] },
    ]) {
      expect(compare(one as Passport, one as Passport).result).toBe('equal');
      expect(['wider', 'equal']).toContain(compare(one as Passport, passport()).result);
    }
  });
});

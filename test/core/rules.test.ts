import { describe, expect, test } from 'vitest';
import { defaultRules, type Rule } from '../../src/index.ts';
import { openService } from '../support/service.ts';
import { codes, openVerdictStage } from '../support/verdict-stage.ts';

describe('rules of the application', () => {
  const late: Rule = () => ({ code: 'too_late', message: 'It is late.', hour: 23 });

  test('add their reasons behind ours, in list order', async () => {
    const rules = [...defaultRules, late, () => ({ code: 'b', message: 'B.' })];
    const { verify } = await openVerdictStage({}, { rules });
    const { body } = await verify({ action: 'x' });
    expect(body['reasons']).toMatchObject([
      { code: 'action_not_allowed' },
      { code: 'too_late', hour: 23 },
      { code: 'b' },
    ]);
  });

  test.each<[string, unknown]>([
    [
      'throws',
      () => {
        throw new Error('secret detail');
      },
    ],
    ['answers true', () => true],
    ['answers a text', () => 'no'],
    ['answers a Promise of nothing', async () => undefined],
    [
      'answers a Promise that fails',
      async () => {
        throw new Error('secret detail');
      },
    ],
    ['answers a reason without a message', () => ({ code: 'a' })],
    ['answers an empty list', () => []],
  ])('deny when one %s', async (_, rule) => {
    const { verify } = await openVerdictStage({}, { rules: [...defaultRules, rule as Rule] });
    const answer = await verify({});
    expect(codes(answer)).toEqual(['rule_failed']);
    expect(answer.text).not.toContain('secret detail');
  });

  test('are refused when one is no function', () => {
    expect(() => openService({ rules: [...defaultRules, 'x' as unknown as Rule] })).toThrow(
      'options.rules[14] is not a function.',
    );
  });

  test('are refused when one of ours is missing', () => {
    const lists: readonly (readonly Rule[])[] = [
      [],
      [late],
      ...defaultRules.map((_, index) => defaultRules.toSpliced(index, 1)),
    ];
    for (const rules of lists) {
      expect(() => openService({ rules })).toThrow(
        expect.objectContaining({ code: 'invalid_configuration' }),
      );
    }
  });

  test('cannot be taken away later', async () => {
    const rules = [...defaultRules, late];
    const { verify } = await openVerdictStage({}, { rules });
    rules.length = 0;
    expect(codes(await verify({}))).toEqual(['too_late']);
  });
});

import { describe, expect, test, vi } from 'vitest';
import type { ToolVerdict } from '../../src/guard/index.ts';
import { openGuard } from './shop.ts';

describe('observe', () => {
  test('asks by dry runs, stops nothing, and says so to the application', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const heard: ToolVerdict[] = [];
    const { guard } = await openGuard({ mode: 'observe', onVerdict: (_, verdict) => heard.push(verdict) });
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
    const verdict = await guard.judge({ name: 'pay', args: { cents: 10_001 } });
    expect(verdict).toMatchObject({ allowed: true, record: { verdict: 'DENY', dry_run: true } });
    expect(await guard.run({ name: 'pay', args: { payee: 5 } }, (args) => args)).toEqual({ payee: 5 });
    expect(heard.map((one) => !one.allowed && one.reasons[0]?.code)).toEqual([
      'amount_over_limit',
      'intent_unreadable',
    ]);
  });
});

describe('onVerdict', () => {
  test('hears of each call once, with null for a tool in unjudged', async () => {
    const heard: unknown[] = [];
    const { guard } = await openGuard({
      unjudged: ['look'],
      onVerdict: ({ name, id }, { allowed, record }) =>
        heard.push([name, id, allowed, record?.verdict ?? null]),
    });
    await guard.run({ name: 'pay', args: { cents: 1 }, id: '1' }, () => undefined);
    await guard.judge({ name: 'pay', args: {}, id: '2' });
    await guard.judge({ name: 'look', args: {}, id: '3' });
    expect(heard).toEqual([
      ['pay', '1', true, 'ALLOW'],
      ['pay', '2', false, 'DENY'],
      ['look', '3', true, null],
    ]);
  });

  test.each([
    ['throws', () => expect.fail('heard')],
    ['rejects', () => Promise.reject(new Error('heard'))],
  ])('changes nothing when it %s', async (_, onVerdict) => {
    const { guard } = await openGuard({ onVerdict });
    expect((await guard.judge({ name: 'pay', args: { cents: 1 } })).allowed).toBe(true);
    expect((await guard.judge({ name: 'pay', args: {} })).allowed).toBe(false);
  });
});

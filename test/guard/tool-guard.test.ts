import { describe, expect, test } from 'vitest';
import { createToolGuard, IdentityError, type ToolCall, type ToolVerdict } from '../../src/guard/index.ts';
import type { Intent, VerdictRecord } from '../../src/records.ts';
import { failuresOf } from './matrix.mjs';
import { AGENT, openGuard, openShop, PAY } from './shop.ts';

/** What the verifier was asked. */
function listening() {
  const asked: Intent[] = [];
  const verifier = {
    verify: (intent: Intent): Promise<VerdictRecord> => {
      asked.push(intent);
      return Promise.reject(new Error('ECONNREFUSED secret-host'));
    },
  };
  return { asked, verifier };
}

function denial(verdict: ToolVerdict): Extract<ToolVerdict, { allowed: false }> {
  if (verdict.allowed) throw new Error('It is allowed.');
  return verdict;
}

async function thrownBy(call: Promise<unknown>): Promise<IdentityError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof IdentityError)) throw thrown;
  return thrown;
}

describe('guard.judge', () => {
  test('allows what the passport allows, with the record', async () => {
    const { guard } = await openGuard();
    const verdict = await guard.judge({ name: 'pay', args: { cents: 10_000 } });
    expect(verdict).toMatchObject({
      allowed: true,
      record: { verdict: 'ALLOW', amount: 100, currency: 'EUR' },
    });
  });

  test.each([
    ['code', /^DENY dec_\w+: amount_over_limit\. The tool was not run\.$/],
    [
      'message',
      /^DENY dec_\w+: The amount is over the limit\. \(amount_over_limit\) The tool was not run\.$/,
    ],
    ['full', /\(amount_over_limit, limit 100, actual 100\.01\) The tool was not run\.$/],
  ] as const)('tells the model why, as %s', async (explain, text) => {
    const { guard } = await openGuard({ explain });
    const verdict = denial(await guard.judge({ name: 'pay', args: { cents: 10_001 } }));
    expect(verdict.text).toMatch(text);
    expect(verdict.reasons).toMatchObject([{ code: 'amount_over_limit', limit: '100' }]);
  });

  test('shows nothing of why there is no verdict', async () => {
    const { verifier } = listening();
    const { guard } = await openGuard({ verifier });
    const verdict = await guard.judge({ name: 'pay', args: { cents: 1 } });
    expect(verdict).toEqual({
      allowed: false,
      record: null,
      reasons: [{ code: 'verdict_unavailable', message: 'There is no verdict.' }],
      text: 'DENY: There is no verdict. (verdict_unavailable) The tool was not run.',
    });
  });

  test('evaluates a tool without a rule by its prefix and name, and allows a tool in unjudged without a record', async () => {
    const { guard } = await openGuard({ prefix: 'shop:', unjudged: ['look'] });
    expect(await guard.judge({ name: 'search', args: {} })).toMatchObject({
      allowed: true,
      record: { action: 'shop:search' },
    });
    expect(await guard.judge({ name: 'look', args: {} })).toEqual({ allowed: true, record: null });
    const other = await openGuard();
    expect((await other.guard.judge({ name: 'search', args: {} })).allowed).toBe(false);
  });

  test('takes the agent from the call', async () => {
    const { asked, verifier } = listening();
    const { guard } = await openGuard({ verifier, agentId: ({ context }) => `did:web:${context}:agents:a` });
    await guard.judge({ name: 'pay', args: {}, context: 'shop.example' });
    expect(asked).toMatchObject([{ agent_id: 'did:web:shop.example:agents:a' }]);
    const broken = await openGuard({ verifier, agentId: () => undefined as unknown as string });
    expect(denial(await broken.guard.judge({ name: 'pay', args: {} })).reasons).toMatchObject([
      { code: 'intent_unreadable' },
    ]);
    expect(asked).toHaveLength(1);
  });

  test('reads each argument once', async () => {
    let reads = 0;
    const { guard } = await openGuard();
    const args = {
      get cents() {
        reads += 1;
        return reads === 1 ? 100 : 99_900;
      },
    };
    const ran: unknown[] = [];
    await guard.run({ name: 'pay', args }, (given) => ran.push(given, (given as { cents: number }).cents));
    expect([reads, ran]).toEqual([1, [{ cents: 100 }, 100]]);
  });

  test('denies a call that cannot be read, and never rejects', async () => {
    const { asked, verifier } = listening();
    const { guard } = await openGuard({ verifier });
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const calls: unknown[] = [
      null,
      {},
      { name: 5, args: {} },
      { name: 'pay', args: deep },
      { name: 'pay', args: { cents: 1, toJSON: () => ({ cents: 5 }) } },
      { name: 'pay', args: { cents: new Date(5) } },
      { name: 'pay', args: { payee: 5 } },
      { name: 'x'.repeat(257), args: {} },
      Object.defineProperty({ name: 'pay' }, 'args', { get: () => expect.fail('read') }),
    ];
    for (const call of calls) {
      expect(denial(await guard.judge(call as ToolCall)).reasons).toMatchObject([
        { code: 'intent_unreadable' },
      ]);
    }
    expect(asked).toEqual([]);
  });
});

describe('run', () => {
  test('holds in every case of the matrix', async () => {
    const failures = await failuresOf(async (guard, args, { signal }) => {
      const ran: object[] = [];
      await guard
        .run({ name: 'pay', args, signal }, (given) => ran.push(given as object))
        .catch(() => undefined);
      return ran;
    });
    expect(failures).toEqual([]);
  });

  test('gives back what the tool gives back, and what it throws', async () => {
    const { guard } = await openGuard();
    const call = { name: 'pay', args: { cents: 1 } };
    expect(await guard.run(call, () => 'paid')).toBe('paid');
    const own = new Error('The bank is closed.');
    await expect(guard.run(call, () => Promise.reject(own))).rejects.toBe(own);
  });

  test('throws tool_denied with the record and the reasons', async () => {
    const { guard } = await openGuard();
    const error = await thrownBy(
      guard.run({ name: 'pay', args: { cents: 10_001 } }, () => expect.fail('ran')),
    );
    expect(error.code).toBe('tool_denied');
    expect(error.details).toMatchObject({
      record: { verdict: 'DENY' },
      reasons: [{ code: 'amount_over_limit' }],
    });
    expect(error.message).toMatch(/The tool was not run\.$/);
  });

  test('does not see what changes after the question', async () => {
    const { guard } = await openGuard();
    const args = { cents: 100, lines: [{ cents: 100 }] };
    const running = guard.run({ name: 'pay', args }, (given) => given);
    args.cents = 1_000_000;
    args.lines.push({ cents: 5 });
    expect(await running).toEqual({ cents: 100, lines: [{ cents: 100 }] });
  });

  test('hands on a Date, a function, a circle and the name __proto__ as they are', async () => {
    const { guard } = await openGuard();
    const at = new Date(0);
    const args: Record<string, unknown> = JSON.parse('{"cents":1,"__proto__":{"cents":5}}');
    Object.assign(args, { at, call: expect.fail, same: args });
    const given = (await guard.run({ name: 'pay', args }, (copy) => copy)) as Record<string, unknown>;
    expect(given).not.toBe(args);
    expect([given['at'], given['call'], given['same']]).toEqual([at, expect.fail, given]);
    expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(given, '__proto__')?.value).toEqual({ cents: 5 });
  });

  test('rejects with the reason of the signal, at once, and tells the verifier', async () => {
    let heard: AbortSignal | undefined;
    const verify = (_intent: Intent, options?: { readonly signal?: AbortSignal }) => {
      heard = options?.signal;
      return new Promise<VerdictRecord>(() => {});
    };
    const { guard } = await openGuard({ verifier: { verify } });
    const controller = new AbortController();
    const { signal } = controller;
    const running = guard.run({ name: 'pay', args: { cents: 1 }, signal }, () => expect.fail('ran'));
    const verdict = guard.judge({ name: 'pay', args: { cents: 1 }, signal });
    const reason = new Error('stopped');
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(denial(await verdict).reasons).toMatchObject([{ code: 'verdict_unavailable' }]);
    expect(heard?.aborted).toBe(true);
  });

  test('does not run the tool on an ALLOW that comes after the signal or the deadline', async () => {
    const service = await openShop();
    const answers: (() => void)[] = [];
    const verify = (intent: Intent): Promise<VerdictRecord> =>
      new Promise((resolve) => answers.push(() => resolve(service.verify(intent))));
    const guard = createToolGuard({
      verifier: { verify },
      agentId: AGENT,
      tools: { pay: PAY },
      timeoutMs: 10,
    });
    const error = await thrownBy(guard.run({ name: 'pay', args: { cents: 1 } }, () => expect.fail('ran')));
    for (const answer of answers) answer();
    expect(error.details).toMatchObject({ record: null, reasons: [{ code: 'verdict_unavailable' }] });
  });
});

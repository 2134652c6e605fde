/** Verdicts of local verifiers against the rate of the account: counted, and refused above one block over it. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { manualClock } from '../../support/service.ts';
import { ask, known, packed, sent, senderOf as stage } from './stage.ts';

test('records and drops count against the rate; one that is known counts nothing', async () => {
  const clock = manualClock(Date.now());
  const at = await stage(memoryStorage(), { clock });
  const caller = { ...at.caller, plan: 'starter' } as const;
  const drops = [{ at_ms: clock.now(), environment: 'live', count: 5_990 }] as const;
  const remaining = () => at.service.serving.countVerifications(caller, 1)?.remaining;
  expect(remaining()).toBe(5_999);
  const block = packed([at.made(1)], drops);
  expect(await at.service.verifiers.file(sent(block), caller)).toMatchObject({ result: 'filed' });
  expect(remaining()).toBe(7);
  expect(await at.service.verifiers.file(sent(block), caller)).toMatchObject({ result: 'known' });
  expect(remaining()).toBe(6);
});

test('a block is refused once the account is over its rate by more than one block, and filed later', async () => {
  const clock = manualClock(Date.now());
  const at = await stage(memoryStorage(), { clock });
  const caller = { ...at.caller, plan: 'starter' } as const;
  const file = (from: number, length: number) => {
    const evaluated_at = new Date(clock.now()).toISOString();
    const records = Array.from({ length }, (_, row) => at.made(from + row, { evaluated_at }));
    return at.service.verifiers.file(sent(packed(records)), caller);
  };
  // 5,999 leave one, so that the next block is the one that is over the rate.
  expect(await file(1, 5_999)).toMatchObject({ result: 'filed' });
  expect(await file(6_000, 8_192)).toMatchObject({ result: 'filed' });
  expect(await file(14_192, 2)).toMatchObject({ result: 'filed' });
  await expect(file(14_194, 1)).rejects.toMatchObject({
    ...{ code: 'rate_limited', details: { retryAfterSeconds: expect.any(Number) } },
  });
  clock.advance(60_000);
  expect(await file(14_194, 1)).toMatchObject({ result: 'filed' });
  expect(await at.service.verifiers.confirm(ask({}), caller)).toMatchObject({ ask: null });
});

test('a waiting verifier is told to ask when the account gets over its rate', async () => {
  const limits = { keys: null, passports: null, verifications_per_minute: 6_000, writes_per_minute: null };
  const clock = manualClock(Date.now());
  const at = await stage(memoryStorage(), {
    clock,
    after: (ms, run) => (ms === 1_000 ? () => {} : cancellable(ms, run)),
    plans: { starter: limits, team: limits, enterprise: limits },
  });
  const { caller } = at;
  const agents = { [at.passport.agent_id]: known(at.passport) };
  const waiting = at.service.verifiers.confirm(ask(agents, 1_000), caller);
  const drops = [{ at_ms: clock.now(), environment: 'live', count: 6_000 }] as const;
  await new Promise((resolve) => setTimeout(resolve, 20));
  await at.service.verifiers.file(sent(packed([at.made(1)], drops)), caller);
  expect(await waiting).toMatchObject({ ask: 'rate' });
});

function cancellable(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

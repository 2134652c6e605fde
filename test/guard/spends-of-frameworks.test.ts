/** What the tools of each framework spend: once for each run, and held until they have ended well. */
import type { IdentityService, VerdictRecord } from 'agent-identity-service';
import type { ToolRule, VerifierOptions } from 'agent-identity-service/guard';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as langchain from './frameworks/langchain.mjs';
import * as openaiAgents from './frameworks/openai-agents.mjs';
import { guardOf, openShop, PAY } from './matrix.mjs';
import { WAYS } from './ways.ts';

const AGENT = 'did:web:example.com:agents:shopper';

/** A shop with a budget, and what its guard asks and is answered. */
async function openBudgetShop(more: Partial<ToolRule> = {}) {
  const service = await openShop({ budgets: [{ window: 'lifetime', limit: 1_000 }] });
  const keys: unknown[] = [];
  const records: VerdictRecord[] = [];
  const verifier = {
    spends: service.spends,
    async verify(intent: Parameters<IdentityService['verify']>[0], options?: VerifierOptions) {
      if (intent.dry_run !== true) keys.push(options?.idempotencyKey);
      const record = await service.verify(intent, options);
      if (!record.dry_run) records.push(record);
      return record;
    },
  };
  const guard = guardOf(verifier, { tools: { pay: { ...PAY, ...more } } });
  const budget = async () => {
    const [state] = (await service.passports.budgets(AGENT)).data;
    return [state?.spent, state?.held];
  };
  const statuses = () =>
    Promise.all(records.map(async ({ decision_id }) => (await service.spends.get(decision_id)).status));
  return { guard, keys, budget, statuses };
}

describe.each(WAYS)('%s', (_, call, hides) => {
  test('each run spends once, under a key of its own', async () => {
    const { guard, keys, budget } = await openBudgetShop();
    for (let run = 0; run < 3; run += 1) await call({ guard, args: { cents: 1_000 } });
    expect(await budget()).toEqual([30, 0]);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[\x20-\x7e]{16,255}$/);
  });

  test('what is held is committed when the tool has ended well', async () => {
    const { guard, budget, statuses } = await openBudgetShop({ hold_seconds: 60 });
    await call({ guard, args: { cents: 2_500 } });
    expect(await statuses()).toEqual(['committed']);
    expect(await budget()).toEqual([25, 0]);
  });

  test('what is held for a tool that throws stays held, and will lapse', async () => {
    const { guard, budget, statuses } = await openBudgetShop({ hold_seconds: 60 });
    await call({ guard, args: { cents: 2_500 }, isFailing: true });
    expect(await statuses()).toEqual([hides ? 'committed' : 'held']);
    expect(await budget()).toEqual(hides ? [25, 0] : [0, 25]);
  });
});

test('LangChain: arguments that the schema refuses give back what was taken', async () => {
  const { guard, budget, statuses } = await openBudgetShop();
  const schema = z.object({ cents: z.number().refine(() => false) });
  expect((await langchain.callTool({ guard, args: { cents: 2_500 }, schema })).ran).toEqual([]);
  expect(await statuses()).toEqual(['released']);
  expect(await budget()).toEqual([0, 0]);
});

test('OpenAI: a tool without an error function shows that it has thrown', async () => {
  const { guard, statuses } = await openBudgetShop({ hold_seconds: 60 });
  const options = { errorFunction: null };
  await openaiAgents.callTool({ guard, args: { cents: 2_500 }, isFailing: true, options });
  expect(await statuses()).toEqual(['held']);
});

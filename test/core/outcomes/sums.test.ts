import { expect, test } from 'vitest';
import { openBlock } from '../../../src/journal-format/index.ts';
import { BLOCK_FLAGS } from '../../../src/ports/journal.ts';
import { type Opened, openService } from '../../support/service.ts';

const OWNER = { account_id: 'acc_1' };
const STATES = ['succeeded', 'failed', 'not_attempted', 'unknown'] as const;

/** The numbers of reports in the outcome blocks of the account. */
async function blocksOf({ storage }: Opened): Promise<readonly number[]> {
  const query = { account_id: OWNER.account_id, flags: BLOCK_FLAGS.outcomes, limit: 256 };
  const headers = await storage.journal.blocks(query);
  const sizes: number[] = [];
  for (let at = 0; at < headers.length; at += 16) {
    for (const block of await storage.journal.load(headers.slice(at, at + 16)))
      sizes.push(block === undefined ? 0 : openBlock(block.data).outcomes.length);
  }
  return sizes;
}

test('sums count each report once, before and after they are merged, compacted and erased', async () => {
  const opened = openService();
  const { service, clock, timers } = opened;
  const agents = [];
  for (const agent_name of ['a', 'b']) {
    const input = { domain: 'shop.example', allowed_actions: ['orders.read'], monetary_limit_per_txn: 0 };
    agents.push((await service.passports.create({ ...input, agent_name }, OWNER)).agent_id);
  }
  const [first = '', second = ''] = agents;
  for (let count = 0; count < 20; count += 1) {
    const agent_id = agents[count % 2] ?? '';
    const record = await service.verify({ agent_id, action: 'orders.read' }, OWNER);
    const { decision_id, evaluated_at } = record;
    clock.advance(1_000);
    const outcome = STATES[count % 4] ?? 'unknown';
    if (count < 16) await service.outcomes.report([{ decision_id, evaluated_at, agent_id, outcome }], OWNER);
    await service.verifications.list({ limit: 1 }, OWNER);
  }
  const sumsOf = async (agent_id?: string) =>
    (await service.analytics({ ...(agent_id && { agent_id }) }, OWNER)).outcomes;
  const all = { succeeded: 4, failed: 4, not_attempted: 4, unknown: 4, unreported: 4 };
  const ofFirst = { succeeded: 4, failed: 0, not_attempted: 4, unknown: 0, unreported: 2 };
  expect([await sumsOf(), await sumsOf(first)]).toEqual([all, ofFirst]);
  const listed = await service.verifications.list({ limit: 100 }, OWNER);
  expect((await blocksOf(opened)).length).toBe(16);
  for (let tries = 0; tries < 60 && (await blocksOf(opened)).length > 2; tries += 1) await timers.pass(2_000);
  expect(await blocksOf(opened)).toEqual([8, 8]);
  expect([await sumsOf(), await sumsOf(first)]).toEqual([all, ofFirst]);
  expect(await service.verifications.list({ limit: 100 }, OWNER)).toEqual(listed);

  await service.revoke({ agent_id: first }, OWNER);
  await service.passports.purge(first, OWNER);
  let isOver = false;
  const running = service.erasures.run().finally(() => {
    isOver = true;
  });
  while (!isOver) await timers.pass(1_000);
  await running;
  expect(await blocksOf(opened)).toEqual([4, 4]);
  const left = { succeeded: 0, failed: 4, not_attempted: 0, unknown: 4, unreported: 2 };
  expect([await sumsOf(), await sumsOf(second)]).toEqual([left, left]);
});

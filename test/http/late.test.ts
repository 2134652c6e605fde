import { setTimeout } from 'node:timers/promises';
import { test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { type Answer, expectProblem, issue, makeKey, openApi, signIn } from '../support/api.ts';
import { openService } from '../support/service.ts';

const DEADLINE_MS = 400;
const BUDGETED = {
  ...{ allowed_actions: ['*'], monetary_actions: ['pay'], monetary_limit_per_txn: 1_000, currency: 'EUR' },
  budgets: [{ window: 'day', limit: 100 }],
};

test('a request is answered within two deadlines of the storage, however many of its calls are late', async () => {
  const memory = memoryStorage();
  let isSlow = false;
  const storage: StorageAdapter = {
    ...memory,
    async get(collection, id) {
      // By the manual clock the reads of a caller take no time: only the first of them is slow.
      if (isSlow && collection !== 'accounts') await setTimeout(DEADLINE_MS * 0.9);
      return memory.get(collection, id);
    },
    write: (changes) => (isSlow ? new Promise(() => {}) : memory.write(changes)),
  };
  const opened = openService({ storage, storageDeadlineMs: DEADLINE_MS });
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  const { key } = await makeKey(api, token);
  const agent_id = await issue(api, token, BUDGETED);
  // Memory holds the key and the passport, and both are too old.
  opened.clock.advance(10_000);
  isSlow = true;
  const intent = { agent_id, action: 'pay', parameters: { amount: 60, currency: 'EUR' } };
  const asked = [
    ['/verify', { ...intent }, { 'idempotency-key': 'a' }],
    ['/verify', { ...intent }, {}],
    ['/revoke', { agent_id }, {}],
  ] as const;
  for (const [path, json, headers] of asked) {
    opened.clock.advance(10_000);
    const answer = await Promise.race<Answer | undefined>([
      setTimeout(2 * DEADLINE_MS, undefined),
      api.ask('POST', path, { key, json, headers }),
    ]);
    if (answer === undefined) throw new Error(`${path} was late.`);
    expectProblem(answer, 503, 'storage_unavailable');
  }
});

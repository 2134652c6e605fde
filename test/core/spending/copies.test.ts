/** Two copies of a request under one idempotency key, sent to two nodes at the same time, have one answer. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createIdentityService, type IdentityService } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Intent } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { nightly, sized } from '../../support/runs.ts';
import { namedStores, openShared, type SharedStore } from '../../support/stores.ts';
import { inParallel } from './crowd.ts';

/** Pairs of copies of each method and storage. */
const PAIRS = nightly(2_000, sized(60, 12));

/** A request, made ready for one pair: what both nodes are asked. */
type Ask = (node: IdentityService, idempotencyKey: string) => Promise<unknown>;
type Ready = (node: IdentityService, agents: Agents, index: number) => Promise<Ask>;

interface Agents {
  readonly spender: string;
  readonly asker: string;
}

const methods: Readonly<Record<string, Ready>> = {
  'the release of a hold': async (node, { spender }) => {
    const { decision_id } = await node.verify({ ...pay(spender), hold_seconds: 600 });
    return (at, idempotencyKey) => at.spends.release(decision_id, {}, { idempotencyKey });
  },
  'the release of a part': async (node, { spender }) => {
    const { decision_id } = await node.verify(pay(spender, 5));
    return (at, idempotencyKey) => at.spends.release(decision_id, { amount: 3 }, { idempotencyKey });
  },
  'a commit': async (node, { spender }) => {
    const { decision_id } = await node.verify({ ...pay(spender, 2), hold_seconds: 600 });
    return (at, idempotencyKey) => at.spends.commit(decision_id, { amount: 1 }, { idempotencyKey });
  },
  'a refund': async (node, { spender }) => {
    const { decision_id } = await node.verify(pay(spender));
    return (at, idempotencyKey) => at.spends.release(decision_id, {}, { idempotencyKey });
  },
  'a verdict that spends': async (_, { spender }) => {
    return (at, idempotencyKey) => at.verify(pay(spender), { idempotencyKey });
  },
  'a verdict that uses an approval': async (node, { asker }, index) => {
    const intent: Intent = { agent_id: asker, action: `send.${index}` };
    const [reason] = (await node.verify(intent)).reasons;
    const approval_id = `${reason?.['approval_id']}`;
    await node.approvals.approve(approval_id);
    return (at, idempotencyKey) => at.verify({ ...intent, approval_id }, { idempotencyKey });
  },
  'a new key': async () => {
    return (at, idempotencyKey) => at.keys.create({ name: 'a' }, { idempotencyKey }).then(withoutSecret);
  },
  'a rotation': async (node) => {
    const { id } = await node.keys.create({ name: 'a' });
    return (at, idempotencyKey) => at.keys.rotate(id, {}, { idempotencyKey }).then(withoutSecret);
  },
  'a passport': async (_node, _agents, index) => {
    const input = { ...SHOP, agent_name: `a-${index}`, allowed_actions: ['*'], monetary_limit_per_txn: 1 };
    return (at, idempotencyKey) => at.passports.create(input, { idempotencyKey });
  },
};

const SHOP = { domain: 'shop.example' };

function pay(agent_id: string, amount = 1): Intent {
  return { agent_id, action: 'pay', parameters: { amount, currency: 'EUR' } };
}

/** Only the first answer shows it. */
function withoutSecret({ key: _, message: __, ...shown }: { key?: unknown; message?: unknown }): unknown {
  return shown;
}

/** The storage, whose calls take their time, so that two nodes come to every order of them. */
function unsteady(storage: StorageAdapter): StorageAdapter {
  const slowed = <Given extends readonly unknown[], Answer>(call: (...given: Given) => Promise<Answer>) => {
    return async (...given: Given): Promise<Answer> => {
      await rounds();
      const answer = await call(...given);
      await rounds();
      return answer;
    };
  };
  return { ...storage, get: slowed(storage.get), write: slowed(storage.write), list: slowed(storage.list) };
}

/** Some rounds of the event loop: 0 to 3, by a generator of numbers that always begins in the same place. */
async function rounds(): Promise<void> {
  drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
  for (let left = drawn >>> 30; left > 0; left -= 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

let drawn = 1;

async function twoNodesOn(store: SharedStore): Promise<readonly [IdentityService, IdentityService]> {
  return (await openShared(store, 2)).map((storage) => {
    const node = createIdentityService({ storage: unsteady(storage), storageDeadlineMs: PATIENT_MS });
    onTestFinished(() => node.close());
    return node;
  }) as [IdentityService, IdentityService];
}

async function agentsOf(node: IdentityService): Promise<Agents> {
  const base = { ...SHOP, allowed_actions: ['*'], monetary_limit_per_txn: 10, currency: 'EUR' };
  const [spender, asker] = await Promise.all([
    node.passports.create({
      ...{ ...base, agent_name: 'spender', monetary_actions: ['pay'] },
      budgets: [{ window: 'year', limit: 1_000_000 }],
    }),
    node.passports.create({ ...base, agent_name: 'asker', approval: { actions: ['send.*'] } }),
  ]);
  return { spender: spender.agent_id, asker: asker.agent_id };
}

describe.each(await namedStores())('on %s two copies under one key have one answer:', (_, place) => {
  test.each(Object.entries(methods))(
    '%s',
    async (__, ready) => {
      const [left, right] = await twoNodesOn(place);
      const agents = await agentsOf(left);
      let pairs = 0;
      await inParallel(PAIRS, async (index) => {
        const ask = await ready(left, agents, index);
        const [first, second] = await Promise.all([ask(left, `key-${index}`), ask(right, `key-${index}`)]);
        expect(second).toEqual(first);
        expect(await ask(left, `key-${index}`)).toEqual(first);
        pairs += 1;
      });
      expect(pairs).toBe(PAIRS);
    },
    1_200_000,
  );
});

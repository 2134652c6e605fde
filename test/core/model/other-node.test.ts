import { describe, expect, onTestFinished, test } from 'vitest';
import { isAnything, listenTo } from '../../storage/heard.ts';
import { issue, makeKey, signIn } from '../../support/api.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { sharedStores } from '../../support/stores.ts';
import { type NodesOptions, openNodes, withoutChannel } from './nodes.ts';
import type { Request } from './step.ts';

/** A change, and what becomes of an ALLOW by it: the other verdict, or the status of a refusal. */
interface Change {
  readonly what: string;
  readonly request: (agent_id: string, key_id: string) => Request;
  readonly turns: 'DENY' | 401 | 403;
}

const CHANGES: readonly Change[] = [
  {
    what: 'a passport revoked',
    request: (agent_id) => ['POST', '/revoke', { json: { agent_id } }],
    turns: 'DENY',
  },
  {
    what: 'a passport suspended',
    request: (agent_id) => ['POST', '/suspend', { json: { agent_id } }],
    turns: 'DENY',
  },
  {
    what: 'a passport patched',
    request: (agent_id) => ['PATCH', `/passports/${agent_id}`, { json: { allowed_actions: [] } }],
    turns: 'DENY',
  },
  { what: 'a key revoked', request: (_, id) => ['DELETE', `/keys/${id}`], turns: 401 },
  {
    what: 'a key rotated without a grace',
    request: (_, id) => ['POST', `/keys/${id}/rotate`, { json: {} }],
    turns: 401,
  },
  {
    what: 'the scopes of a key patched',
    request: (_, id) => ['PATCH', `/keys/${id}`, { json: { scopes: ['revoke'] } }],
    turns: 403,
  },
];

/** The clock of the nodes stands still meanwhile, so that only a notice can bring it: how soon is for `test:nodes`. */
const SEEN_MS = 10_000;
const FRESH_MS = 800;

// SQLite is for one process.
const stores = (await sharedStores()).filter(({ name }) => name !== 'SQLite');

describe.each(stores)('at the other node on $name', (store) => {
  /** Two nodes, of which the other has just answered ALLOW. */
  async function open(consistency: 'default' | 'strict', wrap: NodesOptions['wrap']) {
    const { nodes, clock, close } = await openNodes(store, { count: 2, consistency, wrap });
    onTestFinished(close);
    const [one, other] = nodes;
    if (one === undefined || other === undefined) throw new Error('There are two.');
    // What is read in the millisecond in which a channel opens serves once.
    clock.advance(1);
    const { token } = await signIn(one, one.api);
    const agent_id = await issue(one.api, token);
    const { id, key } = await makeKey(one.api, token);
    const ask = async () => {
      const json = { agent_id, action: 'orders.get' };
      const { status, body } = await other.api.ask('POST', '/verify', { key, json });
      return status === 200 ? body['verdict'] : status;
    };
    expect(await ask()).toBe('ALLOW');
    return {
      clock,
      ask,
      async make({ request }: Change) {
        const [method, path, rest] = request(agent_id, id);
        expect((await one.api.ask(method, path, { ...rest, token })).status).toBeLessThan(300);
      },
    };
  }

  test.each(CHANGES)('$what is seen at once with strict consistency', async (change) => {
    const { ask, make } = await open('strict', withoutChannel);
    await make(change);
    expect(await ask()).toBe(change.turns);
  });

  test.each(CHANGES)('$what is seen soon by the channel, while the clock stands still', async (change) => {
    const reads: string[] = [];
    const { ask, make } = await open('default', async (storage) => {
      if (store.name !== 'memory') await listenTo(storage).one(isAnything);
      return {
        ...storage,
        get(collection, id) {
          reads.push(id);
          return storage.get(collection, id);
        },
      };
    });
    // A notice of the beginning may come late: memory answers once it is over.
    await expect
      .poll(
        async () => {
          reads.length = 0;
          return [await ask(), ...reads];
        },
        { timeout: PATIENT_MS },
      )
      .toEqual(['ALLOW']);
    await make(change);
    await expect.poll(ask, { timeout: SEEN_MS, interval: 5 }).toBe(change.turns);
    expect(await ask()).toBe(change.turns);
  });

  test.each(CHANGES)('$what is seen without a channel when memory is 800 ms old', async (change) => {
    const { clock, ask, make } = await open('default', withoutChannel);
    await make(change);
    // Memory it is that answers: otherwise nothing would be shown below.
    expect(await ask()).toBe('ALLOW');
    clock.advance(FRESH_MS);
    expect(await ask()).toBe(change.turns);
  });
});

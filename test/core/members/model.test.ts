/** Random histories of members over two nodes that are killed between any two writes, on four storages. */
import { expect, test } from 'vitest';
import { createRandom } from '../../../bench/lib/random.mjs';
import { nightly, sized } from '../../support/runs.ts';
import { PASSWORD } from '../../support/service.ts';
import { openShared, sharedStores } from '../../support/stores.ts';
import { openHistory } from './model.ts';

const TURNS = 15;

/** The histories of a store; a server takes longer for each. */
function historiesOn(name: string): number {
  const isServer = /postgres|redis/i.test(name);
  return isServer ? nightly(1_000, sized(20, 3)) : nightly(20_000, sized(300, 10));
}

test.each(await sharedStores())(
  'on $name an owner is always there, and a removed member is out',
  {
    timeout: nightly(3_600_000, 600_000),
  },
  async (store) => {
    const ways = await openShared(store, 2);
    const seed = Math.floor(Math.random() * 2 ** 31);
    const sum: Record<string, number> = {};
    for (let number = 0; number < historiesOn(store.name); number += 1) {
      const history = await openHistory(ways, createRandom(seed + number), `${number}`);
      for (let turn = 0; turn < TURNS; turn += 1) {
        await history.turn().catch((error: unknown) => {
          throw new Error(`history ${number} of seed ${seed}, turn ${turn}`, { cause: error });
        });
      }
      for (const [name, times] of Object.entries(history.counts)) sum[name] = (sum[name] ?? 0) + times;
      for (const node of history.nodes()) await node.close();
    }
    console.log(`${store.name}, seed ${seed}:`, sum);
    // Each kind of step has happened, deaths included, where there are enough of them.
    if (historiesOn(store.name) < 20) return;
    expect(Object.keys(sum).sort()).toEqual([
      ...['accepted', 'accepted by the issuer', 'disabled', 'host', 'invited', 'killed', 'linked', 'mapped'],
      ...['removed', 'role', 'signed in'],
    ]);
  },
);

test.each(await sharedStores())(
  'on $name an e-mail signs in to one account, however many ask at once',
  async (store) => {
    const [one, two] = await openShared(store, 2);
    if (one === undefined || two === undefined) throw new Error('There are no storages.');
    const nodes = [
      await openHistory([one, two], createRandom(7), 'a'),
      await openHistory([two, one], createRandom(8), 'b'),
    ];
    const email = 'shared@example.com';
    const given = await Promise.all(
      nodes.map(async ({ nodes: alive, account_id }) => {
        const [node] = alive();
        const made = await node?.members.invite({ role: 'viewer', email }, { account_id });
        return { node, token: made?.link.token ?? '' };
      }),
    );
    const done = await Promise.allSettled(
      given.map(async ({ node, token }) => node?.acceptLink({ token, password: PASSWORD })),
    );
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  },
);

test.each(await sharedStores())(
  'on $name a stream ends within a second after its member is removed',
  async (store) => {
    const ways = await openShared(store, 2);
    const { nodes, account_id } = await openHistory(ways, createRandom(9), 'c');
    const [one, two] = nodes();
    if (one === undefined || two === undefined) throw new Error('There are no nodes.');
    const { member, link } = await one.members.invite(
      { role: 'viewer', email: 'x@example.com' },
      { account_id },
    );
    const { access_token } = await one.acceptLink({ token: link.token, password: PASSWORD });
    const stream = await two.events.open({}, await two.authenticateSession(access_token));
    const began = Date.now();
    await one.members.remove(member.id, {}, { account_id });
    for await (const _ of stream);
    // It would never end; a second may take longer on a machine that does other work.
    expect(Date.now() - began).toBeLessThan(15_000);
    await Promise.all(nodes().map((node) => node.close()));
  },
);

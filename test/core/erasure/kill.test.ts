/** Nodes are killed by SIGKILL all over an erasure; the last one leaves no byte of what is erased in the store. */
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../../bench/lib/random.mjs';
import type { IdentityService } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { recordsIn, rollupsIn } from '../../support/journal.ts';
import { type SurvivingStore, survivingStores } from '../../support/kills.ts';
import { start } from '../../support/process.ts';
import { nightly, sized } from '../../support/runs.ts';
import { dumpOf } from './dump.ts';
import { amountOf, merged, openNode, type Resident, recordsOf, settle } from './stage.ts';

/** How many calls of the storage each node makes more than the one before it. */
const STEP = nightly(1, sized(7, 15));
const LEAST_KILLS = nightly(10, sized(3, 1));
const MOST_NODES = 400;
/** The longest time between the last call of a node and its end. */
const MOST_MS = 3;
const NODE = fileURLToPath(new URL('node.mjs', import.meta.url));
const WORD = 'vergissmich';

/** The texts that `settle` has given an agent of its account, or all of them. */
const textsOf = (agent: string): readonly string[] => [
  ...[`handlung.${WORD}${agent && `.${agent}`}`, `zielort-${WORD}${agent && `-${agent}`}`],
  ...[`immer-${WORD}${agent && `-${agent}`}`, `kostenstelle-${WORD}${agent && `-${agent}`}`],
  ...[`${WORD} geheimnis${agent && ` ${agent}`}`, `geheimnis ${WORD}${agent && ` ${agent}`}`],
  `begruendung ${WORD}${agent && ` ${agent}`}`,
];

const amountsOf = (indexes: readonly number[]): readonly string[] =>
  indexes.flatMap((index) => [1, 2, 3, 4].map((number) => amountOf(index, number)));

describe.each(survivingStores())('on %s', (name, make) => {
  test('of an account no byte is left but the ids of its passports, and another account is as it was', {
    timeout: 900_000,
  }, async () => {
    const { store, storage, mine, theirs } = await furnish(make);
    const [session] = await storage.list('sessions', { where: { account_id: mine.account_id }, limit: 1 });
    const words = [
      ...[
        ...textsOf(''),
        mine.email,
        mine.account_id,
        mine.key_id,
        session?.id ?? '',
        'hooks.example/vergiss',
      ],
      ...[`4711.23`, ...amountsOf([0, 1, 2]), ...(await spendsOf(storage, mine.account_id))],
    ];
    expect(missingIn(await dumpOf(store.url), words)).toEqual([]);
    const kept = await keptOf(storage, theirs.account_id);

    await eraseUnderKills(name, store, storage, { account_id: mine.account_id });

    const after = (await dumpOf(store.url)).map((row) => withoutIds(row, mine));
    expect(after.filter((row) => [...words, WORD].some((word) => row.includes(word)))).toEqual([]);
    const passports = (await recordsOf(storage)).filter(([, { id }]) => mine.agents.includes(id));
    expect(passports.map(([collection, { status }]) => `${collection} ${status}`)).toEqual(
      mine.agents.map(() => 'passports revoked'),
    );
    expect(await keptOf(storage, theirs.account_id)).toEqual(kept);
  });

  test('of one agent no byte is left but its id, and the others are as they were', {
    timeout: 900_000,
  }, async () => {
    const { store, storage, mine, theirs } = await furnish(make, async (service, { agents, account_id }) => {
      const [agent_id = ''] = agents;
      await service.revoke({ agent_id, reason: `begruendung ${WORD} one` }, { account_id });
    });
    const [one = ''] = mine.agents;
    const words = [...textsOf('one'), ...amountsOf([0]), ...(await spendsOf(storage, mine.account_id, one))];
    expect(missingIn(await dumpOf(store.url), words)).toEqual([]);
    const kept = await keptOf(storage, theirs.account_id);
    const others = await othersOf();
    expect(others.records.length).toBeGreaterThan(0);

    await eraseUnderKills(name, store, storage, { account_id: mine.account_id, agent_id: one });

    const after = await dumpOf(store.url);
    expect(after.filter((row) => words.some((word) => row.includes(word)))).toEqual([]);
    const named = (await recordsOf(storage)).filter(([, record]) => JSON.stringify(record).includes(one));
    expect([...new Set(named.map(([collection]) => collection))].sort()).toEqual([
      'events',
      'passports',
      'status_slots',
    ]);
    const events = named.filter(([collection]) => collection === 'events');
    expect(events.map(([, record]) => (record as { type?: unknown }).type)).toEqual(['passport.purged']);
    expect(await recordsIn(storage, mine.account_id)).toEqual(others.verdicts);
    expect(await othersOf()).toEqual(others);
    expect(await keptOf(storage, theirs.account_id)).toEqual(kept);

    async function othersOf() {
      const { account_id } = mine;
      const records = (await recordsOf(storage)).filter(
        ([, record]) => record.account_id === account_id && !JSON.stringify(record).includes(one),
      );
      const verdicts = await recordsIn(storage, account_id);
      return { records, verdicts: verdicts.filter(({ agent_id }) => agent_id !== one) };
    }
  });
});

interface Furnished {
  readonly store: SurvivingStore;
  readonly storage: StorageAdapter;
  readonly mine: Resident;
  readonly theirs: Resident;
}

/** A store with two accounts and no node; `last` is done for the first of them before. */
async function furnish(
  make: () => Promise<SurvivingStore>,
  last: (service: IdentityService, mine: Resident) => Promise<void> = async () => {},
): Promise<Furnished> {
  const store = await make();
  onTestFinished(() => store.remove());
  const host = await store.open();
  const service = openNode(host);
  const mine = await settle(service, host, WORD);
  const theirs = await settle(service, host, 'behaltmich', '77');
  await last(service, mine);
  await merged(host);
  await service.close();
  const storage = await store.open();
  onTestFinished(() => storage.close());
  return { store, storage, mine, theirs };
}

/** Has nodes erase, one after the other, and kills each; settles once nothing is left to erase. */
async function eraseUnderKills(
  name: string,
  { url }: SurvivingStore,
  storage: StorageAdapter,
  { account_id, agent_id = '' }: { readonly account_id: string; readonly agent_id?: string },
): Promise<void> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = createRandom(seed);
  const began = `${Date.now()}`;
  let hasBegun = false;
  let kills = 0;
  for (let nodes = 0; ; nodes += 1) {
    if (nodes === MOST_NODES) throw new Error('The erasure does not end.');
    const whom: readonly string[] = hasBegun ? ['', ''] : [account_id, agent_id];
    const calls = 1 + Math.floor((nodes + random()) * STEP);
    const args = [NODE, url, began, ...whom, `${calls}`, `${random() * MOST_MS}`];
    const { signal, code, stderr } = await start(process.execPath, args, { cwd: tmpdir() }).ended;
    if (signal !== 'SIGKILL') expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    kills += signal === 'SIGKILL' ? 1 : 0;
    const isLeft = (await storage.list('erasures', { where: {}, limit: 1 })).length > 0;
    // A node that was not killed in time has ended what it began.
    hasBegun ||= isLeft || signal !== 'SIGKILL';
    if (hasBegun && !isLeft) break;
  }
  console.log(`${name}, seed ${seed}: ${kills} nodes were killed`);
  expect(kills).toBeGreaterThanOrEqual(LEAST_KILLS);
}

/** The `decision_id`s of what was spent. */
async function spendsOf(
  storage: StorageAdapter,
  account_id: string,
  agent_id?: string,
): Promise<readonly string[]> {
  const spends = await storage.list('spends', { where: { account_id }, limit: 1_000 });
  const ids = spends.filter((spend) => agent_id === undefined || spend['agent_id'] === agent_id);
  expect(ids.length).toBeGreaterThan(0);
  return ids.map(({ id }) => id);
}

/** All that an account has, and its sums. */
async function keptOf(storage: StorageAdapter, account_id: string): Promise<unknown> {
  const records = (await recordsOf(storage)).filter(([, record]) => record.account_id === account_id);
  const verdicts = await recordsIn(storage, account_id);
  expect([records.length > 20, verdicts.length > 10]).toEqual([true, true]);
  const sums = await rollupsIn(storage, account_id, { kinds: ['verdict', 'action', 'agent'] });
  // The storage has no order for them.
  return { records, verdicts, sums: sums.map((sum) => JSON.stringify(sum)).sort() };
}

function missingIn(dump: readonly string[], words: readonly string[]): readonly string[] {
  return words.filter((word) => !dump.some((row) => row.includes(word)));
}

/** A row that holds the id of an agent, without that and without the domain that is part of it. */
function withoutIds(row: string, { agents }: Resident): string {
  const ids = agents.filter((id) => row.includes(id));
  if (ids.length === 0) return row;
  return ids.reduce((text, id) => text.replaceAll(id, ''), row).replaceAll(`${WORD}.example`, '');
}

/** Nodes are killed by SIGKILL while they record, merge, compact and erase; no byte of an erased subject is left. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../bench/lib/random.mjs';
import type { WholeService as IdentityService } from '../../src/capabilities.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { bytesOf, dumpOf } from '../core/erasure/dump.ts';
import { openNode } from '../core/erasure/stage.ts';
import { waitUntil } from '../core/erasure/wait.ts';
import { type Nodes, startNodes } from '../core/spending/killed-nodes.ts';
import { recordsIn } from '../support/journal.ts';
import { mergeGone, type SurvivingStore, survivingStores } from '../support/kills.ts';
import { nightly, sized } from '../support/runs.ts';

const KILLS = nightly(100, sized(6, 2));
/** Every such kill is one of the server. */
const A_SERVER = 5;
const CLIENTS = 4;
/** At the latest after its first answer. */
const MOST_MS = 200;
/** The least number of verdicts for each subject before it is erased. */
const LEAST = 5;
const OWNER = { account_id: 'acc_1' };
const [MINE, OTHER] = ['vergissmich-4711', 'behaltmich-4712'];

type Random = () => number;

/** A verdict that was answered, and whom it was for. */
interface Asked {
  readonly decision_id: string;
  readonly subject: string | undefined;
}

interface Stage {
  readonly store: SurvivingStore;
  readonly storage: StorageAdapter;
  readonly service: IdentityService;
  readonly nodes: Nodes;
  readonly agent_id: string;
  readonly random: Random;
}

async function openStage(make: () => Promise<SurvivingStore>, seed: number): Promise<Stage> {
  const store = await make();
  onTestFinished(() => store.remove());
  const storage = await store.open();
  onTestFinished(() => storage.close());
  const service = openNode(storage);
  const { agent_id } = await service.passports.create(
    {
      ...{ domain: 'example.com', agent_name: 'shopper', allowed_actions: ['*'], monetary_limit_per_txn: 1 },
      approval: { actions: ['order'] },
    },
    OWNER,
  );
  const nodes = startNodes(store.url, store.nodes, { journal: 'strict', faster: 20 });
  onTestFinished(() => nodes.end());
  await nodes.ready();
  return { store, storage, service, nodes, agent_id, random: createRandom(seed) };
}

/** Lets the clients work while nodes, and now and then the server, are killed, until it is enough. */
async function underKills(
  { store, nodes, random }: Stage,
  clients: readonly ((isOver: () => boolean) => Promise<void>)[],
  isEnough: () => boolean = () => true,
): Promise<void> {
  let isOver = false;
  const working = Promise.all(clients.map((client) => client(() => isOver)));
  for (let kill = 1; kill <= KILLS || !isEnough(); kill += 1) {
    if (kill % A_SERVER === 0) {
      // A node that only starts would end by itself.
      await nodes.ready();
      await store.crash?.();
    }
    await nodes.killOne(random() * MOST_MS);
  }
  isOver = true;
  await working;
}

/** A client that asks for verdicts for one of these subjects, some of which need a person. */
function asking({ nodes, agent_id, random }: Stage, subjects: readonly (string | undefined)[], all: Asked[]) {
  return async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      const subject = subjects[Math.floor(random() * subjects.length)];
      const action = random() < 0.2 ? 'order' : 'read';
      const intent = { agent_id, action, ...(subject !== undefined && { subject }) };
      const record = (await nodes.untilAnswered('verify', [intent, OWNER])) as VerdictRecord;
      all.push({ decision_id: record.decision_id, subject });
    }
  };
}

/** A client that erases again and again, at whichever node. */
function erasing({ nodes }: Stage) {
  return async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) await nodes.askOnce('erase', [{ subject: MINE }, OWNER]);
  };
}

async function subjectsIn(service: IdentityService): Promise<readonly (string | null)[]> {
  const { data } = await service.verifications.list({ limit: 100 }, OWNER);
  return data.map(({ subject }) => subject);
}

/** All rows of the store that have the text. */
async function rowsWith(url: string, text: string): Promise<readonly string[]> {
  return (await dumpOf(url)).filter((row) => row.includes(text));
}

describe.each(survivingStores())('on %s', (name, make) => {
  test(`after the last call no byte of the text is in the store, over ${2 * KILLS} kill -9`, {
    timeout: 600_000,
  }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const stage = await openStage(make, seed);
    const { store, storage, service, nodes } = stage;
    const asked: Asked[] = [];
    const all = [MINE, OTHER, undefined];
    await underKills(
      stage,
      Array.from({ length: CLIENTS }, () => asking(stage, all, asked)),
      () => [MINE, OTHER].every((one) => asked.filter(({ subject }) => subject === one).length >= LEAST),
    );
    expect((await rowsWith(store.url, MINE)).length).toBeGreaterThan(0);
    // A node that has the blocks in memory, as the page of the verdicts has.
    expect(await subjectsIn(service)).toContain(OTHER);

    const others = [asking(stage, [OTHER, undefined], asked), asking(stage, [OTHER], asked)];
    await underKills(stage, [erasing(stage), erasing(stage), ...others]);
    await nodes.end();
    for (let isOver = false; !isOver; ) {
      isOver = !(await service.subjects.erase({ subject: MINE }, OWNER)).has_more;
    }
    expect(await rowsWith(store.url, MINE), `${name}, seed ${seed}`).toEqual([]);
    expect((await rowsWith(store.url, OTHER)).length).toBeGreaterThan(0);
    await waitUntil(async () => !(await subjectsIn(service)).includes(MINE));
    expect((await service.verifications.list({ subject: MINE }, OWNER)).data).toEqual([]);

    // What is merged and compacted later brings no text back, and loses nothing.
    await mergeGone(await store.open());
    expect(await rowsWith(store.url, MINE), `${name}, seed ${seed}`).toEqual([]);
    if (store.url.startsWith('sqlite:')) {
      const bytes = await bytesOf(store.url);
      expect([bytes.includes(MINE), bytes.includes(OTHER)]).toEqual([false, true]);
    }
    const found = new Map((await recordsIn(storage, OWNER.account_id)).map((one) => [one.decision_id, one]));
    const wrong = asked.filter(({ decision_id, subject }) => {
      const record = found.get(decision_id);
      const [expected, isErased] = subject === MINE ? [null, true] : [subject ?? null, undefined];
      return record?.subject !== expected || record.subject_erased !== isErased;
    });
    expect(wrong, `${name}, seed ${seed}`).toEqual([]);
    const mine = asked.filter(({ subject }) => subject === MINE).length;
    console.log(`${name}, seed ${seed}: ${asked.length} verdicts, ${mine} of them erased`);
  });
});

/** Reports of outcomes while nodes, and now and then their server, are killed: the first that is final stays. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../../bench/lib/random.mjs';
import type { IdentityService } from '../../../src/core.ts';
import type { Outcome, OutcomeInput } from '../../../src/records/outcome.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { mergeGone, survivingStores } from '../../support/kills.ts';
import { nightly, sized } from '../../support/runs.ts';
import { openNode } from '../erasure/stage.ts';
import { type Nodes, startNodes } from '../spending/killed-nodes.ts';

const KILLS = nightly(200, sized(8, 3));
/** Every such kill is one of the server. */
const A_SERVER = 5;
const CLIENTS = 4;
/** At the latest after its first answer. */
const MOST_MS = 200;
/** Two reports of one verdict are never of one millisecond. */
const APART_MS = 2;
const OUTCOMES: readonly Outcome[] = ['unknown', 'unknown', 'succeeded', 'failed', 'not_attempted'];

type Random = () => number;

/** What was sent about a verdict, in its order, and whether it was accepted. */
interface Told {
  readonly record: Pick<VerdictRecord, 'decision_id' | 'evaluated_at' | 'agent_id'>;
  readonly sent: { readonly outcome: Outcome; readonly isAccepted: boolean }[];
}

/** What the list may show of a verdict: `null` stands for no report. */
function possible({ sent }: Told): ReadonlySet<Outcome | null> {
  const shown = new Set<Outcome | null>();
  for (const { outcome, isAccepted } of sent) {
    if (outcome === 'unknown') continue;
    shown.add(outcome);
    if (isAccepted) return shown;
  }
  const unknown = sent.filter(({ outcome }) => outcome === 'unknown');
  if (unknown.length > 0) shown.add('unknown');
  if (!unknown.some(({ isAccepted }) => isAccepted)) shown.add(null);
  return shown;
}

/** One client of an account: it asks for verdicts and reports what came of them, until `isOver`. */
async function work(nodes: Nodes, account_id: string, random: Random, isOver: () => boolean) {
  const owner = { account_id };
  const intent = {
    agent_id: `did:web:${account_id.replace('_', '-')}.example:agents:shopper`,
    action: 'read',
  };
  const all: Told[] = [];
  const report = async ({ record, sent }: Told) => {
    const outcome = OUTCOMES[Math.floor(random() * OUTCOMES.length)] ?? 'unknown';
    const { decision_id, evaluated_at, agent_id } = record;
    const input: OutcomeInput = { decision_id, evaluated_at, agent_id, outcome };
    // The same again is a retry, at whichever node is next.
    for (let left = random() < 0.4 ? 2 : 1; left > 0; left -= 1) {
      const reply = await nodes.askOnce('report', [[input], owner]);
      sent.push({ outcome, isAccepted: reply?.answer !== undefined });
      await pause(APART_MS);
    }
  };
  while (!isOver()) {
    const record = (await nodes.untilAnswered('verify', [intent, owner])) as VerdictRecord;
    const told: Told = { record, sent: [] };
    all.push(told);
    for (let left = Math.floor(random() * 4); left > 0; left -= 1) await report(told);
    // A late report, of one of the verdicts before.
    const late = all[Math.floor(random() * all.length)];
    if (late !== undefined && random() < 0.3) await report(late);
  }
  return all;
}

async function shownIn(service: IdentityService, account_id: string) {
  const shown = new Map<string, Outcome | null>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    const page = await service.verifications.list(query, { account_id });
    for (const { decision_id, outcome } of page.data) shown.set(decision_id, outcome?.outcome ?? null);
    cursor = page.next_cursor;
  }
  return shown;
}

describe.each(survivingStores())('on %s', (name, make) => {
  test(`no accepted report is lost or overtaken over ${KILLS} kill -9, and none is of another account`, {
    timeout: 600_000,
  }, async () => {
    const store = await make();
    onTestFinished(() => store.remove());
    const storage = await store.open();
    onTestFinished(() => storage.close());
    const service = openNode(storage);
    const accounts = ['acc_1', 'acc_2'];
    for (const account_id of accounts) {
      const domain = `${account_id.replace('_', '-')}.example`;
      const terms = { agent_name: 'shopper', allowed_actions: ['read'], monetary_limit_per_txn: 0 };
      await service.passports.create({ domain, ...terms }, { account_id });
    }
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = createRandom(seed);
    const nodes = startNodes(store.url, store.nodes, { journal: 'strict', faster: 20 });
    onTestFinished(() => nodes.end());
    await nodes.ready();
    let isOver = false;
    const working = accounts.map((account_id) =>
      Promise.all(Array.from({ length: CLIENTS }, () => work(nodes, account_id, random, () => isOver))),
    );
    for (let kill = 1; kill <= KILLS; kill += 1) {
      if (kill % A_SERVER === 0) {
        // A node that only starts would end by itself.
        await nodes.ready();
        await store.crash?.();
      }
      await nodes.killOne(random() * MOST_MS);
    }
    isOver = true;
    const told = (await Promise.all(working)).map((lists) => lists.flat());
    await nodes.end();

    for (const isMerged of [false, true]) {
      if (isMerged) await mergeGone(await store.open());
      for (const [index, account_id] of accounts.entries()) {
        const shown = await shownIn(service, account_id);
        const wrong = (told[index] ?? []).filter((one) => {
          const outcome = shown.get(one.record.decision_id);
          return outcome === undefined || !possible(one).has(outcome);
        });
        expect(wrong, `${name}, seed ${seed}`).toEqual([]);
        // No report of the other account, and none of a verdict that nothing was sent about.
        const known = new Set((told[index] ?? []).filter(({ sent }) => sent.length > 0).map(idOf));
        expect([...shown].filter(([id, outcome]) => outcome !== null && !known.has(id))).toEqual([]);
        const sums = (await service.analytics({}, { account_id })).outcomes;
        for (const outcome of ['succeeded', 'failed', 'not_attempted', 'unknown'] as const) {
          const listed = [...shown.values()].filter((one) => one === outcome).length;
          const sent = (told[index] ?? [])
            .flatMap((one) => one.sent)
            .filter((one) => one.outcome === outcome);
          expect(sums[outcome], `${name}, seed ${seed}: ${outcome}`).toBeGreaterThanOrEqual(listed);
          expect(sums[outcome], `${name}, seed ${seed}: ${outcome}`).toBeLessThanOrEqual(sent.length);
        }
      }
    }
    const reports = told.flat().flatMap(({ sent }) => sent);
    const accepted = reports.filter(({ isAccepted }) => isAccepted).length;
    console.log(`${name}, seed ${seed}: ${reports.length} reports, ${accepted} accepted`);
    expect(accepted).toBeGreaterThan(KILLS);
  });
});

function idOf({ record }: Told): string {
  return record.decision_id;
}

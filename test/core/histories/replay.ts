/** Services that share a storage live through a history; whatever they answer is what the plain lists say. */
import { expect } from 'vitest';
import { everyCapability } from '../../../src/capabilities.ts';
import { createIdentityService } from '../../../src/core.ts';
import { passwordHasher } from '../../../src/credential/password.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Intent, VerdictRecord } from '../../../src/records.ts';
import type { PlainService } from '../../support/service.ts';
import {
  HOUR,
  type ManualClock,
  MINUTE,
  manualClock,
  PASSWORD,
  SECRET,
  START,
} from '../../support/service.ts';
import {
  type Answered,
  minuteOf,
  type PlainJournal,
  plainCounts,
  plainList,
  plainTop,
  type Wanted,
} from './plain-journal.ts';
import { ACCOUNTS, type Look, type Step } from './steps.ts';

interface Node {
  readonly service: PlainService;
  readonly clock: ManualClock;
  /** Ends the waits of its maintenance. */
  readonly skip: () => void;
  /** The verdicts that it has not stored, by account. */
  readonly waiting: Map<string, Answered[]>;
  fault: 'none' | 'refused' | 'lost';
}

interface Run {
  readonly nodes: readonly Node[];
  readonly plain: PlainJournal;
  readonly accounts: readonly string[];
  /** Domains are claimed: each run has its own. */
  readonly domains: readonly string[];
}

let runs = 0;
const HASHER = passwordHasher({ cost: { ln: 4, r: 8, p: 1 } });
/** A look at everything, long before and after. */
const WHOLE = { from: START - 5 * HOUR, to: START + 5 * HOUR };

/** Lives through a history on a storage that each service has its own way into. */
export async function replay(storages: readonly StorageAdapter[], steps: readonly Step[]): Promise<void> {
  const run = await begin(storages);
  for (const step of steps) await take(run, step);
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const all = { agent: undefined, verdict: undefined, reason: undefined, environment: undefined };
    await look(run, { service: account, account, ...all, from: undefined, to: undefined, limit: 100 });
  }
  await Promise.all(run.nodes.map(({ service }) => service.close()));
}

async function begin(storages: readonly StorageAdapter[]): Promise<Run> {
  runs += 1;
  const plain: PlainJournal = { kept: [], dropped: [] };
  const nodes = storages.map((storage) => openNode(storage, plain));
  const [first] = nodes;
  if (first === undefined) throw new Error('There is no service.');
  const [accounts, domains]: string[][] = [[], []];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const domain = `d${runs}-${account}.example`;
    const { id } = await first.service.accounts.create({ email: `a@${domain}`, password: PASSWORD });
    for (const agent_name of ['a0', 'a1']) {
      const allowed_actions = ['act.0', 'act.1'];
      const passport = { domain, agent_name, allowed_actions, monetary_limit_per_txn: 1 };
      await first.service.passports.create(passport, { account_id: id });
    }
    accounts?.push(id);
    domains?.push(domain);
  }
  return { nodes, plain, accounts: accounts ?? [], domains: domains ?? [] };
}

function openNode(storage: StorageAdapter, plain: PlainJournal): Node {
  const clock = manualClock();
  const waits = new Set<() => void>();
  const waiting = new Map<string, Answered[]>();
  const { file } = storage.journal;
  /** The oldest that wait of an account. */
  const taken = (account_id: string, records: number) => waiting.get(account_id)?.splice(0, records) ?? [];
  const journal: StorageAdapter['journal'] = {
    ...storage.journal,
    async file(flush) {
      if (node.fault === 'refused') {
        const [only] = flush.blocks;
        // Each goes alone before it is given up.
        if (only !== undefined && flush.blocks.length === 1) {
          plain.dropped.push(...taken(only.account_id, only.records));
        }
        throw new TypeError('does not fit');
      }
      const result = await file(flush);
      if (result === 'filed') {
        for (const { account_id, records } of flush.blocks) plain.kept.push(...taken(account_id, records));
      }
      const isLost = node.fault === 'lost';
      node.fault = 'none';
      if (isLost) throw new Error('connection lost');
      return result;
    },
  };
  const service = createIdentityService({
    capabilities: everyCapability(),
    session: { secret: SECRET },
    storage: { ...storage, journal, close: async () => {} },
    clock,
    passwordHasher: HASHER,
    storageDeadlineMs: 30_000,
    clockOk: true,
    after(ms, callback) {
      const end = (): void => {
        waits.delete(end);
        callback();
      };
      if (ms > 1_000) waits.add(end);
      else setTimeout(end, ms).unref();
      return () => waits.delete(end);
    },
  });
  const skip = (): void => {
    for (const end of [...waits]) end();
  };
  const node: Node = { service, clock, skip, waiting, fault: 'none' };
  return node;
}

async function take(run: Run, step: Step): Promise<void> {
  const node = nodeOf(run, step.step === 'look' ? step.service : step.service);
  switch (step.step) {
    case 'move':
      // At most two hours from where it began: what is too far is another test.
      node.clock.advance(Math.min(Math.max(step.ms, -2 * HOUR - offsetOf(node)), 2 * HOUR - offsetOf(node)));
      return;
    case 'ask':
      return ask(run, node, step);
    case 'file':
      node.fault = step.fault;
      await settle(run, node, step.account);
      node.fault = 'none';
      return;
    case 'maintain':
      node.skip();
      return;
    case 'look':
      return look(run, step);
  }
}

function offsetOf({ clock }: Node): number {
  return clock.now() - START;
}

function nodeOf({ nodes }: Run, index: number): Node {
  return nodes[index % nodes.length] as Node;
}

function accountOf({ accounts }: Run, index: number): string {
  return accounts[index % accounts.length] as string;
}

/** Two agents with a passport, one without, and one whose name each question invents. */
function agentOf({ domains }: Run, account: number, agent: number, action = 0): string {
  const name = agent < 3 ? `a${agent}` : `invented-${action}`;
  return `did:web:${domains[account] ?? ''}:agents:${name}`;
}

async function ask(run: Run, node: Node, step: Step & { readonly step: 'ask' }): Promise<void> {
  const account_id = accountOf(run, step.account);
  const waiting = node.waiting.get(account_id) ?? [];
  node.waiting.set(account_id, waiting);
  for (let time = 0; time < step.times; time += 1) {
    const number = step.action > 2 ? step.action + time : step.action;
    const agent_id = agentOf(run, step.account, step.agent, number);
    const intent: Intent = { agent_id, action: `act.${number}`, dry_run: step.dry_run };
    const { environment } = step;
    waiting.push({ account_id, record: await node.service.verify(intent, { account_id, environment }) });
  }
}

async function settle(run: Run, node: Node, account: number): Promise<void> {
  const of = { account_id: accountOf(run, account) };
  // Once for the fault and once without it.
  for (let time = 0; time < 2; time += 1) await node.service.verifications.list({ limit: 1 }, of);
}

async function look(run: Run, given: Look): Promise<void> {
  // What other services have not stored is not there yet.
  for (const node of run.nodes) await settle(run, node, given.account);
  const account_id = accountOf(run, given.account);
  const wanted = wantedOf(run, given);
  const expected = plainList(run.plain, account_id, wanted);
  const { service } = nodeOf(run, given.service);
  const pages: VerdictRecord[] = [];
  for (let cursor: string | undefined, turn = given.service; ; turn += 1) {
    const page = { ...wanted, limit: given.limit, ...(cursor !== undefined && { cursor }) };
    // Each page comes from another service.
    const answer = await nodeOf(run, turn).service.verifications.list(page, { account_id });
    pages.push(...answer.data);
    if (!answer.has_more) break;
    cursor = answer.next_cursor ?? undefined;
  }
  expect(pages).toEqual(expected.map((record) => ({ ...record, outcome: null })));
  let csv = '';
  for await (const lines of await service.verifications.csv(wanted, { account_id })) csv += lines;
  const ids = csv.split('\r\n').map((line) => line.split(',')[0]);
  expect(ids).toEqual(['decision_id', ...expected.map(({ decision_id }) => decision_id), '']);
  await lookAtAnalytics(run, service, { account_id, wanted });
}

function wantedOf(run: Run, { account, agent, verdict, reason, environment, from, to }: Look): Wanted {
  const [first, last] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to];
  return {
    ...(agent !== undefined && { agent_id: agentOf(run, account, agent) }),
    ...(verdict && { verdict }),
    ...(reason && { reason }),
    ...(environment && { environment }),
    ...(first !== undefined && { from: new Date(START + first).toISOString() }),
    // A range ends after it begins.
    ...(last !== undefined && { to: new Date(START + last + MINUTE).toISOString() }),
  };
}

async function lookAtAnalytics(
  { plain }: Run,
  service: PlainService,
  { account_id, wanted }: { readonly account_id: string; readonly wanted: Wanted },
): Promise<void> {
  const { agent_id, environment = 'live' } = wanted;
  const from = wanted.from ?? new Date(WHOLE.from).toISOString();
  const to = wanted.to ?? new Date(WHOLE.to).toISOString();
  const query = { environment, from, to, ...(agent_id !== undefined && { agent_id }) };
  const answer = await service.analytics(query, { account_id });
  const counts = plainCounts(plain, account_id, query);
  expect(answer.overview).toMatchObject({
    total_verifications: counts.allowed + counts.denied,
    allowed: counts.allowed,
    denied: counts.denied,
  });
  const hours = answer.series.filter(({ allowed, denied }) => allowed + denied > 0);
  expect(new Map(hours.map(({ start, allowed, denied }) => [start, [allowed, denied]]))).toEqual(
    counts.hours,
  );
  expect(answer.latency_us.p50 === null).toBe(counts.allowed + counts.denied === 0);
  expect(answer.top_reasons).toEqual(plainTop(counts.reasons));
  if (agent_id === undefined) expect(answer.top_agents).toEqual(plainTop(counts.agents));
  expectTop(answer.top_actions, counts.actions);
  const drops = plain.dropped.filter(
    (one) => one.account_id === account_id && one.record.environment === environment,
  );
  // Drops are counted by the hour, at the latest of them.
  if (agent_id === undefined && wanted.from === undefined && wanted.to === undefined) {
    expect(answer.journal_dropped).toBe(drops.length);
  }
  for (const { record } of drops) {
    const after = Date.parse(minuteOf(record.evaluated_at)) + MINUTE;
    expect(Date.parse(answer.complete_since)).toBeGreaterThanOrEqual(after);
  }
}

/** Exact as long as each name has a place of its own for certain; none is ever counted too often. */
function expectTop(
  top: readonly { readonly key: string; readonly count: number }[],
  counts: ReadonlyMap<string, number>,
): void {
  const places = 45;
  if (counts.size <= places) {
    expect(top).toEqual(plainTop(counts));
    return;
  }
  for (const { key, count } of top) {
    if (key !== 'other') expect(count).toBeLessThanOrEqual(counts.get(key) ?? 0);
  }
}

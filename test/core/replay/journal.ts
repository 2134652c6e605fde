/** A journal made by several services on one store, whose clocks differ by 4 seconds: random passports and calls. */
import { onTestFinished } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createIdentityService, type IdentityService } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Intent, PassportInput, PassportPatch, VerdictRecord } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { START } from '../../support/service.ts';
import type { Random } from './random.ts';

/** The parts of life that a journal has. */
export interface JournalTerms {
  readonly records: number;
  readonly budgets?: boolean;
  readonly holds?: boolean;
  readonly refunds?: boolean;
  readonly approvals?: boolean;
  readonly edits?: boolean;
  readonly states?: boolean;
  /** The most that the clock moves between two steps, in milliseconds. */
  readonly stepMs?: number;
}

/** A call, as another service can be given it again. */
export type Step =
  | { readonly step: 'ask'; readonly at: number; readonly intent: Intent; readonly decision_id: string }
  | {
      readonly step: 'release' | 'commit';
      readonly at: number;
      readonly decision_id: string;
      readonly amount?: number;
    };

/** A journal, and how it was made. */
export interface MadeJournal {
  readonly storage: StorageAdapter;
  readonly services: readonly IdentityService[];
  readonly passports: readonly PassportInput[];
  readonly agents: readonly string[];
  readonly steps: readonly Step[];
  readonly clock: { now(): number };
}

/** How far the clock of each node is from the right time. */
const OFF_MS = [-2_000, 2_000, 0] as const;

const ACTIONS = ['pay.a', 'pay.b', 'pay.c.d', 'orders.get', 'orders.put', 'other'] as const;
const ACTION_ENTRIES = ['*', 'pay.*', 'pay.a', 'pay.c.*', 'orders.*', 'orders.get', 'other'] as const;
const TARGETS = ['did:web:a.example', 'did:web:b.example', 'did:web:x.b.example', 'not a did'] as const;
const TARGET_ENTRIES = ['did:web:a.example', 'did:web:*.b.example', 'did:web:b.example'] as const;
const AMOUNTS = [0, 1, 2.5, 5, 7, 10, 19.99, 50, 1.005, 'many', -1] as const;
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'euro'] as const;

function some<One>(random: Random, of: readonly One[]): One[] {
  const chosen = of.filter(() => random.chance(0.5));
  return chosen.length === 0 ? [random.pick(of)] : chosen;
}

/** Random fields of a passport. */
export function randomFields(
  random: Random,
  terms: JournalTerms,
): PassportPatch & Omit<PassportInput, 'domain' | 'agent_name'> {
  const hasBudgets = terms.budgets === true && random.chance(0.8);
  const hasApproval = terms.approvals === true && random.chance(0.5);
  const isMoney = random.chance(0.6);
  const window = random.pick(['hour', 'day', 'lifetime'] as const);
  const budgets = [
    ...(isMoney ? [{ name: 'money', window, limit: random.pick([20, 60, 200]), actions: ['pay.*'] }] : []),
    ...(random.chance(0.6) || !isMoney
      ? [{ name: 'count', window: random.pick(['hour', 'day'] as const), count: random.pick([2, 5, 20]) }]
      : []),
  ];
  const needsCurrency = (hasBudgets && isMoney) || hasApproval;
  return {
    allowed_actions: random.chance(0.7) ? ['*'] : some(random, ACTION_ENTRIES),
    monetary_limit_per_txn: random.pick([0, 5, 20, 100]),
    ...(random.chance(0.3) && { denied_actions: [random.pick(ACTION_ENTRIES.slice(1))] }),
    ...((needsCurrency || random.chance(0.4)) && { currency: 'EUR' }),
    ...(random.chance(0.3) && { allowed_targets: some(random, TARGET_ENTRIES) }),
    ...((hasApproval || random.chance(0.3)) && { monetary_actions: ['pay.*'] }),
    ...(hasBudgets && { budgets }),
    ...(hasApproval && { approval: { above: 7, actions: ['orders.put'] } }),
    ...(random.chance(0.1) && { not_before: new Date(START + 600_000).toISOString() }),
    ...(random.chance(0.1) && { expires_at: new Date(START + 40 * 86_400_000).toISOString() }),
  };
}

function randomIntent(random: Random, agent_id: string, terms: JournalTerms): Intent {
  const hasAmount = random.chance(0.6);
  const amount = random.chance(0.85) ? random.pick(AMOUNTS.slice(0, 8)) : random.pick(AMOUNTS);
  return {
    agent_id,
    action: random.pick(ACTIONS),
    ...(random.chance(0.5) && { target: random.pick(TARGETS) }),
    ...(hasAmount && {
      parameters: {
        amount,
        ...(random.chance(0.9) && { currency: random.pick(CURRENCIES) }),
        ...(random.chance(0.2) && { note: 'x' }),
      },
    }),
    ...(terms.holds && random.chance(0.2) && { hold_seconds: random.pick([1, 30, 3_600]) }),
    ...(random.chance(0.03) && { dry_run: true }),
  };
}

/**
 * Makes storages that know in which order verdicts spent, or tried to: one write at a time. Those that did not come
 * first.
 */
function inOrder(of: readonly StorageAdapter[]) {
  const orders = new Map<string, number>();
  let writes = 0;
  let last: Promise<unknown> = Promise.resolve();

  const writerOf =
    ({ write }: StorageAdapter): StorageAdapter['write'] =>
    (changes, signal) => {
      const written = last.then(() => {
        for (const change of changes)
          if (change.op === 'insert' && change.collection === 'spends')
            orders.set(change.record.id, writes++);
        return write(changes, signal);
      });
      last = written.catch(() => undefined);
      return written;
    };

  const storages = of.map(
    (storage): StorageAdapter => ({
      ...storage,
      write: writerOf(storage),
      // The clock of a test is right.
      time: async (at) => ({ at, isMark: false }),
      close: async () => {},
    }),
  );
  return { storages, orderOf: ({ decision_id }: Step) => orders.get(decision_id) ?? -1 };
}

/** Makes a journal, with a node for each of these ways into one store; by default two nodes on a store in memory. */
export async function makeJournal(
  random: Random,
  terms: JournalTerms,
  given: readonly StorageAdapter[] = twice(memoryStorage()),
): Promise<MadeJournal> {
  const { storages, orderOf } = inOrder(given);
  let at = START;
  const clock = { now: () => at };
  const services = storages.map((storage, node) =>
    createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage,
      clock: { now: () => at + (OFF_MS[node] ?? 0), monotonic: () => at },
      log: () => undefined,
    }),
  );
  onTestFinished(async () => {
    for (const service of services) await service.close();
  });
  const [first] = services as [IdentityService];
  const [storage] = storages as [StorageAdapter];
  const passports: PassportInput[] = [];
  const agents: string[] = [];
  for (const [index, agent_name] of ['top', 'root', 'child', 'grandchild', 'other'].entries()) {
    const parent = agent_name === 'other' ? agents[1] : agents[index - 1];
    const fields = randomFields(random, terms);
    const input = {
      domain: 'shop.example',
      agent_name,
      ...fields,
      ...(parent !== undefined && { parent_agent_id: parent }),
    } as PassportInput;
    const { agent_id } = await first.passports.create(input);
    passports.push(input);
    agents.push(agent_id);
  }
  const steps: Step[] = [];
  const spends: string[] = [];
  const approvals: { readonly id: string; readonly intent: Intent }[] = [];
  let made = 0;

  /** Returns the time by the clock of a node, which decides about windows and the ends of holds. */
  function timeOf(service: IdentityService): number {
    return at + (OFF_MS[services.indexOf(service)] ?? 0);
  }

  async function ask(service: IdentityService, intent: Intent): Promise<void> {
    const asked = timeOf(service);
    const place = steps.push({ step: 'ask', at: asked, intent, decision_id: '' }) - 1;
    const record: VerdictRecord = await service.verify(intent);
    steps[place] = { step: 'ask', at: asked, intent, decision_id: record.decision_id };
    if (record.verdict === 'ALLOW' && record.budgets.length > 0) spends.push(record.decision_id);
    const approval = record.reasons.find(({ code }) => code === 'approval_required')?.['approval_id'];
    if (typeof approval === 'string') approvals.push({ id: approval, intent });
  }

  async function settle(step: 'release' | 'commit'): Promise<void> {
    const decision_id = random.pick(spends.slice(-20));
    if (decision_id === undefined) return;
    const amount = random.chance(0.3) ? 1 : undefined;
    try {
      const input = amount === undefined ? {} : { amount };
      const service = random.pick(services);
      await service.spends[step](decision_id, input);
      steps.push({ step, at: timeOf(service), decision_id, ...(amount !== undefined && { amount }) });
    } catch {
      // It is settled, or has lapsed.
    }
  }

  const stepMs = terms.stepMs ?? 2_000;
  while (made < terms.records) {
    at += random.chance(0.02) ? random.below(1_800_000) : random.below(stepMs);
    const agent_id = random.pick(agents.slice(random.chance(0.05) ? 0 : 1));
    if (terms.approvals && approvals.length > 0 && random.chance(0.15)) {
      const { id, intent } = random.pick(approvals.slice(-5));
      if (random.chance(0.7))
        await random
          .pick(services)
          .approvals[random.chance(0.8) ? 'approve' : 'reject'](id)
          .catch(() => undefined);
      await ask(random.pick(services), { ...intent, approval_id: id });
      made += 1;
    } else if (terms.refunds && random.chance(0.1)) await settle(random.chance(0.6) ? 'release' : 'commit');
    else if (terms.edits && random.chance(0.01)) {
      const { parent_agent_id: _, ...fields } = randomFields(random, terms) as PassportInput;
      await first.passports.update(agent_id, fields as PassportPatch).catch(() => undefined);
    } else if (terms.states && random.chance(0.01)) {
      const method = random.chance(0.4) ? 'suspend' : 'reinstate';
      await first[method]({ agent_id }).catch(() => undefined);
    } else if (random.chance(0.05)) {
      const racers = Array.from({ length: 1 + random.below(8) }, () => randomIntent(random, agent_id, terms));
      const first = steps.length;
      await Promise.all(racers.map((intent) => ask(random.pick(services), intent)));
      // Another service is asked in the order in which the storage was.
      steps.push(...steps.splice(first).toSorted((one, other) => orderOf(one) - orderOf(other)));
      made += racers.length;
    } else {
      await ask(random.pick(services), randomIntent(random, agent_id, terms));
      made += 1;
    }
  }
  at += 10_000;
  for (const service of services) await service.verifications.list({ limit: 1 });
  return { storage, services, passports, agents, steps, clock };
}

function twice(storage: StorageAdapter): readonly StorageAdapter[] {
  return [storage, storage];
}

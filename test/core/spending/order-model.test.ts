/** Random steps against a model of the order of actions: no ALLOW that the model denies, no DENY that it allows. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createIdentityService } from '../../../src/core.ts';
import { identity } from '../../../src/identity/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Order, VerdictRecord } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { createRandom } from '../../support/random.ts';
import { seedOf, sized } from '../../support/runs.ts';
import { namedStores, openShared } from '../../support/stores.ts';
import { createModel, type Rule } from './order-model.ts';

const STEPS = sized(3_000, 300);
const SEED = seedOf(20_261_129);
const SESSIONS = ['s1', 's2', 's3'];
const ACTIONS = ['test', 'deploy', 'read', 'send', 'try', 'pay'];

const SAME = { same: ['session'] };
const OWN: readonly Order[] = [
  { name: 'tested', actions: ['deploy'], needs: { actions: ['test'], seconds: 2 }, ...SAME },
  { name: 'sealed', actions: ['send'], forbids: { actions: ['read'], seconds: 1 }, ...SAME },
  { name: 'stop', actions: ['try'], forbids: { actions: ['try'], seconds: 1, failed: 2 } },
];
const SHARED: readonly Order[] = [
  { name: 'once', actions: ['pay'], forbids: { actions: ['pay'], seconds: 1 }, ...SAME },
];

/** A storage that loses the answers to some writes: before they are done, or after. */
function losing(storage: StorageAdapter, loses: () => 'before' | 'after' | undefined): StorageAdapter {
  return {
    ...storage,
    async write(changes, signal) {
      const isOfOrder = changes.some((change) => change.op === 'add' && change.counter.startsWith('order'));
      const lost = isOfOrder ? loses() : undefined;
      if (lost === 'before') throw new Error('The connection was lost.');
      const result = await storage.write(changes, signal);
      if (lost === 'after') throw new Error('The connection was lost.');
      return result;
    },
  };
}

test.each(await namedStores())(
  `${STEPS} random steps on %s agree with a model (seed ${SEED})`,
  async (_, store) => {
    const random = createRandom(SEED);
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
    let isLosing = false;
    const loses = () => (isLosing ? pick(['before', 'after'] as const) : undefined);
    const storages = (await openShared(store, 2)).map((storage) => losing(storage, loses));
    const open = (place: number) =>
      createIdentityService({
        storage: { ...(storages[place] as StorageAdapter), close: async () => undefined },
        capabilities: [identity({ secret: 'a secret of thirty-two characters, or more' })],
        storageDeadlineMs: PATIENT_MS,
        log: () => {},
      });
    const services = [open(0), open(1)];
    onTestFinished(async () => {
      for (const service of services) await service.close();
    });
    const [first] = services as [(typeof services)[0]];
    const fields = { domain: 'ops.example', allowed_actions: ['*'], monetary_limit_per_txn: 0 };
    const make = async (agent_name: string, more: object) =>
      (await first.passports.create({ ...fields, agent_name, ...more })).agent_id;
    const parent_agent_id = await make('parent', { order: SHARED });
    const agents = [
      await make('ann', { parent_agent_id, order: OWN }),
      await make('ben', { parent_agent_id, order: OWN }),
      await make('eve', { order: OWN }),
    ];
    const model = createModel();
    /** The rules that are about an intent, each with the key of its marks. */
    const rulesOf = (agent_id: string, action: string, session: string): readonly Rule[] =>
      [
        ...OWN.map((order) => ({ order, key: `${order.name} ${agent_id} ${order.same ? session : ''}` })),
        ...(agent_id === agents[2]
          ? []
          : SHARED.map((order) => ({ order, key: `${order.name} ${session}` }))),
      ].map((rule) => ({ ...rule, action }));
    const pool: { readonly record: VerdictRecord; readonly rules: readonly Rule[] }[] = [];
    const counts = { ALLOW: 0, DENY: 0, lost: 0, reports: 0 };

    async function ask(): Promise<void> {
      const [agent_id, action, session] = [pick(agents), pick(ACTIONS), pick(SESSIONS)];
      const rules = rulesOf(agent_id, action, session);
      const isDry = random() < 0.1;
      const options = random() < 0.1 ? { idempotencyKey: `k${counts.ALLOW}${counts.DENY}` } : undefined;
      isLosing = random() < 0.08;
      const from = Date.now();
      const intent = { agent_id, action, session, ...(isDry && { dry_run: true }) };
      const record = await pick(services)
        .verify(intent, options)
        .catch(() => undefined);
      isLosing = false;
      const span = { from, to: Date.now() };
      const expected = model.verdictOn(rules, span);
      if (record === undefined) {
        counts.lost += 1;
        model.mayHaveAllowed(rules, span, isDry);
        return;
      }
      counts[record.verdict] += 1;
      const told = JSON.stringify({ intent, expected, verdict: record.verdict, reasons: record.reasons });
      if (expected !== undefined) expect(record.verdict, told).toBe(expected);
      if (record.verdict === 'DENY' || isDry) return;
      model.allowed(rules, span);
      pool.push({ record, rules });
      if (options === undefined) return;
      const again = await pick(services).verify(intent, options);
      if (again.decision_id !== record.decision_id)
        model.mayHaveAllowed(rules, { from, to: Date.now() }, false);
    }

    async function report(): Promise<void> {
      const found = pick(pool.slice(-12));
      if (found === undefined) return;
      const { decision_id, evaluated_at, agent_id, mark } = found.record;
      const outcome = pick(['succeeded', 'succeeded', 'failed', 'unknown', 'not_attempted'] as const);
      isLosing = random() < 0.1;
      const from = Date.now();
      const given = { decision_id, evaluated_at, agent_id, outcome, ...(mark !== undefined && { mark }) };
      const isDone = await pick(services)
        .outcomes.report([given])
        .then(
          () => true,
          () => false,
        );
      isLosing = false;
      counts.reports += 1;
      const evaluated = Date.parse(evaluated_at);
      const made = { decision_id, outcome, evaluated, isDone, from, to: Date.now() };
      model.reported(found.rules, made);
    }

    for (let step = 0; step < STEPS; step += 1) {
      const kind = random();
      if (kind < 0.62) await ask();
      else if (kind < 0.92) await report();
      else if (kind < 0.99) await pause(random() * sized(400, 300));
      else {
        // A node ends without notice, and another one takes its place.
        const place = random() < 0.5 ? 0 : 1;
        const ended = services[place];
        services[place] = open(place);
        await ended?.close();
      }
    }
    expect(counts.ALLOW).toBeGreaterThan(STEPS / 10);
    // A slow machine leaves the rules that a second ends, so fewer intents are denied.
    expect(counts.DENY).toBeGreaterThan(STEPS / 20);
  },
  sized(600_000, 60_000),
);

/** Fifty writers on two services, some of them late: no time of the pace holds more than it allows. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createIdentityService } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { createRandom } from '../../support/random.ts';
import { seedOf, sized } from '../../support/runs.ts';
import { namedStores, openShared } from '../../support/stores.ts';

const WRITERS = 50;
const FOR_MS = sized(10_000, 2_500);
const LATE_MS = 400;
const SEED = seedOf(20_261_129);

/** The instants of the writes that counted an intent, and of those that did not fit, by the name of the pace. */
interface Counted {
  readonly allowed: Map<string, number[]>;
  readonly denied: Map<string, number[]>;
}

/** A storage some of whose writes are sent late. It notes the instant that each write counts at. */
function noted(storage: StorageAdapter, { allowed, denied }: Counted, random: () => number): StorageAdapter {
  return {
    ...storage,
    async write(changes, signal) {
      const paces = new Map<string, string>();
      const steps = new Map<number, string>();
      for (const [step, change] of changes.entries()) {
        if (change.op !== 'add' || change.by === 0) continue;
        const [kind, , , ...rest] = change.counter.split(':');
        const name = kind === 'pace' ? rest[1] : kind === 'cooldown' ? rest[0] : undefined;
        if (name !== undefined) paces.set(name, change.at);
        if (name !== undefined) steps.set(step, name);
      }
      if (paces.size > 0 && random() < 0.2) await pause(LATE_MS * random());
      const result = await storage.write(changes, signal);
      const lost = result.written ? [] : result.failed.map(({ step }) => steps.get(step));
      for (const [name, at] of paces) {
        if (!result.written && !lost.includes(name)) continue;
        const to = result.written ? allowed : denied;
        to.set(name, [...(to.get(name) ?? []), Date.parse(at)]);
      }
      return result;
    },
  };
}

const PACES = [
  { name: 'short', max: 7, seconds: 1 },
  { name: 'long', max: 31, seconds: 3 },
  { name: 'one', max: 1, seconds: 1, actions: ['alone'] },
];

test.each(await namedStores())(
  `two services on %s let no agent be too fast (seed ${SEED})`,
  async (_, store) => {
    const random = createRandom(SEED);
    const counted: Counted = { allowed: new Map(), denied: new Map() };
    const storages = (await openShared(store, 2)).map((storage) => noted(storage, counted, random));
    const services = storages.map((storage) =>
      createIdentityService({ storage, storageDeadlineMs: PATIENT_MS, log: () => {} }),
    );
    onTestFinished(async () => {
      for (const service of services) await service.close();
    });
    const [first] = services;
    if (first === undefined) throw new Error('There is no service.');
    const { agent_id } = await first.passports.create({
      domain: 'mail.example',
      agent_name: 'mailer',
      allowed_actions: ['send', 'alone'],
      monetary_limit_per_txn: 0,
      pace: PACES,
    });
    const end = Date.now() + FOR_MS;
    let asked = 0;
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const service = services[writer % services.length] as (typeof services)[number];
        while (Date.now() < end) {
          const action = random() < 0.2 ? 'alone' : 'send';
          const { verdict, reasons } = await service.verify({ agent_id, action });
          asked += 1;
          if (verdict === 'DENY') expect(reasons[0]).toMatchObject({ code: 'pace_exceeded' });
          await pause(random() * 40);
        }
      }),
    );
    expect(asked).toBeGreaterThan(WRITERS);
    for (const { name, max, seconds } of PACES) {
      const length = seconds * 1_000;
      const all = (counted.allowed.get(name) ?? []).sort((one, other) => one - other);
      // On a machine that is busy all the time the other paces may be used up whenever the rare action is asked for.
      if (max > 1 || asked > 20 * WRITERS) expect(all.length).toBeGreaterThan(0);
      for (const [index, at] of all.entries()) {
        const within = all
          .slice(index)
          .filter((later) => (max === 1 ? later < at + length : later <= at + length));
        expect(within.length).toBeLessThanOrEqual(max);
      }
      if (max === 1) continue;
      // A denial had a reason: one of the 13 spans of 13 parts with its instant is full.
      const part = Math.ceil(length / 12);
      const partsOf = (instants: readonly number[]) => instants.map((at) => Math.floor(at / part));
      const parts = partsOf(all);
      for (const denied of new Set(partsOf(counted.denied.get(name) ?? []))) {
        const spans = Array.from({ length: 13 }, (_, before) => denied - before);
        const fullest = spans.map((span) => parts.filter((one) => one >= span && one < span + 13).length);
        expect(Math.max(...fullest)).toBe(max);
      }
    }
  },
  60_000,
);

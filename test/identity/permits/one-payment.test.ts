/** A client repeats a lost request under its key, at any moment up to 24 hours, on any node: never two payments. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdentityService, type ServiceWith } from '../../../src/core.ts';
import { type IdentityCapability, identity } from '../../../src/identity/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { createPermitVerifier, type Once } from '../../../src/tokens/proof/index.ts';
import { nightly, sized } from '../../support/runs.ts';
import { HOUR, type ManualClock, manualClock, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { claimsOf } from '../../support/signing.ts';
import { namedStores, openShared } from '../../support/stores.ts';
import { AUDIENCE, ISSUER, PAYMENT } from './stage.ts';

const NODES = 3;
const RUNS = nightly(2_000, sized(120, 12));
/** A key is known for 24 hours; the clocks of two nodes may differ by 8 s. */
const KNOWN_MS = 24 * HOUR - 10_000;
/** The store of the resource keeps an id for that much longer, since its clock is not that of the resource. */
const LONGER_MS = 10_000;

/** What happens to a write: it is made, it is not, or it is and its answer is lost. */
const FAULTS = ['none', 'none', 'none', 'refused', 'unknown'] as const;

const numberOfOne = fc.integer({ min: 0, max: NODES - 1 });
const off = fc.integer({ min: -4_000, max: 4_000 });
const retry = fc.record({
  node: numberOfOne,
  /** Two nodes are asked at the same time. */
  isTwin: fc.boolean(),
  waits: fc.oneof(
    fc.integer({ min: 0, max: 12_000 }),
    fc.integer({ min: 15_000, max: 60_000 }),
    fc.integer({ min: HOUR, max: 24 * HOUR }),
  ),
  fault: fc.constantFrom(...FAULTS),
  change: fc.constantFrom('none', 'none', 'none', 'update', 'suspend', 'reinstate'),
  /** The resources at which the newest and the oldest permit is used; none where the answer was lost. */
  uses: fc.array(fc.record({ resource: numberOfOne, isOldest: fc.boolean() }), { maxLength: 3 }),
});
const history = fc.record({
  seconds: fc.integer({ min: 1, max: 60 }),
  nodesOff: fc.tuple(off, off, off),
  resourcesOff: fc.tuple(off, off, off),
  retries: fc.array(retry, { minLength: 1, maxLength: 10 }),
});

/** A node, and what is to happen to its writes. */
interface Node {
  readonly service: ServiceWith<readonly [IdentityCapability]>;
  aheadMs: number;
  fault: (typeof FAULTS)[number];
}

/** A single call that has lasted too long: it does not count as an outage, after which nothing would be asked. */
function late(): Error {
  return Object.assign(new Error('The store was too late.'), { name: 'TimeoutError' });
}

function openNode(storage: StorageAdapter, clock: ManualClock): Node {
  const node = { aheadMs: 0, fault: 'none' as (typeof FAULTS)[number] };
  const faulty: StorageAdapter = {
    ...storage,
    time: async () => ({ at: clock.instant(), isMark: false }),
    async write(changes) {
      if (node.fault === 'refused') throw late();
      const written = await storage.write(changes);
      if (node.fault === 'unknown') throw late();
      return written;
    },
  };
  const service = createIdentityService({
    storage: faulty,
    clock: { now: () => clock.now() + node.aheadMs, monotonic: clock.monotonic },
    after: () => () => undefined,
    capabilities: [identity({ secret: SECRET, publicUrl: PUBLIC_URL })],
    domainProof: 'off',
    rateLimits: 'off',
    storageDeadlineMs: 60_000,
    log: () => undefined,
  });
  return Object.assign(node, { service });
}

test.each(await namedStores())(
  'on three nodes over %s',
  async (_, store) => {
    const clock = manualClock(Date.now());
    const storages = await openShared(store, NODES);
    const nodes = storages.map((storage) => openNode(storage, clock));
    const [{ service: first }] = nodes as [Node];
    const keys = await first.signing.jwks();
    const found = { payments: 0, uses: 0, ended: 0, faults: 0 };
    let payments = 0;

    const oneHistory = async ({ seconds, nodesOff, resourcesOff, retries }: HistoryOf<typeof history>) => {
      payments += 1;
      for (const [index, node] of nodes.entries()) node.aheadMs = nodesOff[index] ?? 0;
      const { agent_id } = await first.passports.create({
        ...{ domain: 'example.com', agent_name: `payer-${payments}` },
        ...{
          allowed_actions: [PAYMENT.action],
          monetary_actions: [PAYMENT.action],
          monetary_limit_per_txn: 100,
        },
        ...{ currency: 'EUR', budgets: [{ window: 'lifetime', limit: 1_000 }] },
      });
      const { action, target, amount, currency } = PAYMENT;
      const intent = {
        ...{ agent_id, action, target, parameters: { amount, currency } },
        permit: { audience: AUDIENCE, seconds },
      };
      const used = new Map<string, number>();
      const once: Once = (jti, untilMs) => {
        if ((used.get(jti) ?? 0) > clock.now()) return false;
        used.set(jti, untilMs + LONGER_MS);
        return true;
      };
      const resources = resourcesOff.map((aheadMs) =>
        createPermitVerifier({
          ...{ issuers: [ISSUER], audience: AUDIENCE, keys, once },
          at: () => clock.now() + aheadMs,
        }),
      );
      const until = clock.now() + KNOWN_MS;
      const [decisions, tokens, late] = [new Set<string>(), [] as string[], [] as VerdictRecord[]];
      let timesUsed = 0;

      const ask = async (node: Node | undefined) => {
        const asked = { idempotencyKey: `order-${payments}` };
        const record = await node?.service.verify(intent, asked).catch(({ code }) => code);
        if (typeof record === 'string') {
          expect(['storage_unavailable', 'overloaded', 'conflict']).toContain(record);
          found.faults += 1;
        } else if (record?.verdict === 'ALLOW') {
          decisions.add(record.decision_id);
          if (record.permit === null) late.push(record);
          else tokens.push(record.permit ?? 'no member');
        } else expect(record?.permit).toBe(null);
      };

      for (const { node, isTwin, waits, fault, change, uses } of retries) {
        clock.advance(Math.max(0, Math.min(waits, until - clock.now())));
        // A change that does not fit the state of the passport changes nothing.
        if (change === 'update') await first.passports.update(agent_id, { description: `${clock.now()}` });
        if (change === 'suspend') await first.suspend({ agent_id });
        if (change === 'reinstate') await first.reinstate({ agent_id }).catch(() => undefined);
        const asked = [nodes[node], ...(isTwin ? [nodes[(node + 1) % NODES]] : [])];
        for (const one of nodes) one.fault = fault;
        await Promise.all(asked.map(ask));
        for (const one of nodes) one.fault = 'none';
        for (const { resource, isOldest } of uses) {
          const use = resources[resource]?.(tokens.at(isOldest ? 0 : -1), PAYMENT);
          timesUsed +=
            (await use?.then(
              () => 1,
              () => 0,
            )) ?? 0;
        }
      }
      expect(decisions.size).toBeLessThanOrEqual(1);
      for (const token of tokens) {
        const { exp, ...claims } = claimsOf(token);
        const { exp: _, ...those } = claimsOf(tokens[0] ?? '');
        expect(claims).toEqual(those);
        expect(Number(exp)).toBeLessThanOrEqual(Number(claims['iat']) + seconds);
      }
      expect(timesUsed).toBeLessThanOrEqual(1);
      const [budget] = (await first.passports.budgets(agent_id)).data;
      expect([0, 19.9]).toContain(budget?.spent);
      if (decisions.size === 1) expect(budget?.spent).toBe(19.9);
      found.payments += decisions.size;
      found.uses += timesUsed;
      found.ended += late.length;
    };

    await fc.assert(fc.asyncProperty(history, oneHistory), { numRuns: RUNS });
    await Promise.all(nodes.map(({ service }) => service.close()));
    // Every kind of history was seen.
    expect(Math.min(...Object.values(found))).toBeGreaterThan(0);
  },
  nightly(1_800_000, 240_000),
);

type HistoryOf<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;

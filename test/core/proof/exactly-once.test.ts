/** One proof on many nodes at once, over each store: it is allowed once. */
import { expect, test } from 'vitest';
import { createIdentityService } from '../../../src/index.ts';
import { signIntent } from '../../../src/tokens/proof/index.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { AUDIENCE, ED25519, outcome, PAYMENT, PROVING, SHOPPER } from '../../support/prover.ts';
import { nightly } from '../../support/runs.ts';
import { namedStores } from '../../support/stores.ts';

const NODES = 3;
/** The promise is 10,000 uses of one proof. */
const USES = nightly(10_000, 200);
/** The number that is under way at a time: more are refused as a flood. */
const AT_ONCE = 100;
const PROOFS = nightly(1, 2);

test.each(await namedStores())(
  `${USES} uses of one proof on three nodes over %s are one ALLOW`,
  async (_, store) => {
    const { storages, end } = await store.open(NODES);
    const options = { ...PROVING, rateLimits: 'off' } as const;
    const nodes = storages.map((storage) =>
      createIdentityService({ storageDeadlineMs: PATIENT_MS, storage, ...options }),
    );
    const { agent_id } = (await nodes[0]?.passports.create(SHOPPER)) ?? { agent_id: '' };
    const sign = () =>
      signIntent(PAYMENT, { key: ED25519.private_jwk, agent_id, audience: AUDIENCE, seconds: 300 });
    for (let count = 0; count < PROOFS; count += 1) {
      const intent = { ...PAYMENT, agent_id, proof: await sign() };
      const found = new Map<string, number>();
      for (let used = 0; used < USES; used += AT_ONCE) {
        const records = await Promise.all(
          Array.from({ length: AT_ONCE }, (_, index) => nodes[index % NODES]?.verify(intent)),
        );
        for (const record of records) {
          const what = record === undefined ? 'no node' : outcome(record);
          found.set(what, (found.get(what) ?? 0) + 1);
        }
      }
      expect(Object.fromEntries(found)).toEqual({ ALLOW: 1, proof_replayed: USES - 1 });
    }
    await Promise.all(nodes.map((node) => node.close()));
    await end();
  },
  nightly(600_000, 120_000),
);

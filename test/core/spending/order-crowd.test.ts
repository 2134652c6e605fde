/** Twenty writers under two rules that forbid each other: no session has both. */
import { expect, onTestFinished, test } from 'vitest';
import { createIdentityService } from '../../../src/core.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { createRandom } from '../../support/random.ts';
import { seedOf, sized } from '../../support/runs.ts';
import { namedStores, openShared } from '../../support/stores.ts';

const WRITERS = 20;
const NODES = 4;
const SESSIONS = sized(400, 60);
const SEED = seedOf(20_261_129);

const ORDER = [
  { name: 'no-mail', actions: ['mail'], forbids: { actions: ['read'], seconds: 600 }, same: ['session'] },
  { name: 'no-read', actions: ['read'], forbids: { actions: ['mail'], seconds: 600 }, same: ['session'] },
];

test.each(await namedStores())(
  `services on %s let no session do both (seed ${SEED})`,
  async (_, store) => {
    const random = createRandom(SEED);
    const services = (await openShared(store, NODES)).map((storage) =>
      createIdentityService({ storage, storageDeadlineMs: PATIENT_MS, log: () => {} }),
    );
    onTestFinished(async () => {
      for (const service of services) await service.close();
    });
    const [first] = services as [(typeof services)[0]];
    const { agent_id } = await first.passports.create({
      domain: 'mail.example',
      agent_name: 'mailer',
      allowed_actions: ['mail', 'read'],
      monetary_limit_per_txn: 0,
      order: ORDER,
    });
    const done = new Map<string, Set<string>>();
    let denied = 0;
    for (let number = 0; number < SESSIONS; number += 1) {
      const session = `s${number}`;
      // All writers begin at once, so that no check can see the mark of another one before it was written.
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          const service = services[writer % services.length] as (typeof services)[0];
          const action = random() < 0.5 ? 'mail' : 'read';
          const { verdict, reasons } = await service.verify({ agent_id, action, session });
          if (verdict === 'ALLOW') done.set(session, (done.get(session) ?? new Set()).add(action));
          else {
            denied += 1;
            expect(reasons).toMatchObject([{ code: 'order_forbidden' }]);
          }
        }),
      );
    }
    expect(done.size).toBe(SESSIONS);
    expect(denied).toBeGreaterThan(SESSIONS);
    expect([...done.values()].filter(({ size }) => size > 1)).toHaveLength(0);
  },
  60_000,
);

/** What is left of an agent that trusted issuers: no count of its workloads. */
import { expect, test } from 'vitest';
import { everyCapability, type WholeService } from '../../src/capabilities.ts';
import { workloadCounter } from '../../src/core/passports/workload-passport.ts';
import { waitUntil } from '../core/erasure/wait.ts';
import { namedStores, openShared } from '../support/stores.ts';
import { PUBLIC_URL } from './stage.ts';
import { CLUSTER, makeIssuerKey, openTrust, POD } from './trust.ts';

const ACCOUNT = { account_id: 'acc_1' };

test.each(await namedStores())(
  'a purge of a parent removes the count of its workloads on %s',
  async (_, store) => {
    const [storage] = await openShared(store, 1);
    if (storage === undefined) throw new Error('There is one.');
    const shift = { ms: 0 };
    const more = {
      clock: { now: () => Date.now() + shift.ms },
      capabilities: everyCapability({ identity: { publicUrl: PUBLIC_URL }, accessTokens: {} }),
      after(ms: number, run: () => void) {
        const timer = setTimeout(run, ms / 50);
        return () => clearTimeout(timer);
      },
    };
    const trust = await openTrust({ storage, more });
    const service = trust.service as unknown as WholeService;
    const counted = (issuer: string) =>
      storage.count(workloadCounter(trust.agent_id, issuer), new Date().toISOString());
    expect((await trust.workload()).status).toBe(200);
    // An issuer that an earlier version trusted is counted as well.
    const other = { issuer: 'https://other.example', use: 'workload', subjects: [POD] } as const;
    const key = JSON.parse(JSON.stringify((await makeIssuerKey()).jwk));
    await service.passports.update(trust.agent_id, { trusted_issuers: [{ ...other, keys: [key] }] }, ACCOUNT);
    expect(await counted(CLUSTER)).toBe(1);

    await service.revoke({ agent_id: trust.agent_id }, ACCOUNT);
    await service.passports.purge(trust.agent_id, ACCOUNT);
    const running = service.erasures.run();
    await waitUntil(async () =>
      (await storage.list('erasures', { where: {}, limit: 1 })).every(({ swept_at }) => swept_at !== null),
    );
    shift.ms += 20_000;
    await running;
    expect(await counted(CLUSTER)).toBe(0);
  },
);

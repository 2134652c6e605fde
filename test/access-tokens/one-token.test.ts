/** One assertion on two nodes at once, over each storage: it gets one token. */
import { expect, test } from 'vitest';
import { accessTokens } from '../../src/access-tokens/index.ts';
import { identity } from '../../src/identity/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { namedStores, openShared } from '../support/stores.ts';
import { assertionOf, formOf, makeKeyPair, PUBLIC_URL, RESOURCE } from './stage.ts';
import { CLUSTER, GRANT, makeIssuerKey, POD, signWorkload } from './trust.ts';

const USES = 200;
/** The number that is under way at a time: more wait for the check of their signature. */
const AT_ONCE = 50;

test.each(await namedStores())(
  `${USES} uses of one assertion on two nodes over %s get one token, of an agent and of a new workload`,
  async (_, store) => {
    const nodes = (await openShared(store, 2)).map((storage) =>
      createIdentityService({
        storage,
        storageDeadlineMs: PATIENT_MS,
        rateLimits: 'off',
        capabilities: [
          identity({ secret: 'a secret of at least thirty-two characters', publicUrl: PUBLIC_URL }),
          accessTokens(),
        ],
      }),
    );
    const [first] = nodes;
    if (first === undefined) throw new Error('There is no node.');
    const [key, cluster] = [await makeKeyPair(), await makeIssuerKey()];
    const passport = {
      domain: 'example.com',
      agent_name: 'shop',
      allowed_actions: ['oauth:token'],
      monetary_limit_per_txn: 0,
      public_keys: [key.jwk],
      trusted_issuers: [{ issuer: CLUSTER, use: 'workload', keys: [cluster.jwk], subjects: [POD] }],
    };
    const { agent_id } = await first.passports.create(JSON.parse(JSON.stringify(passport)));
    const forms: readonly Record<string, string>[] = [
      Object.fromEntries(formOf(await assertionOf(agent_id, key))),
      { grant_type: GRANT, resource: RESOURCE, client_id: agent_id, assertion: await signWorkload(cluster) },
    ];
    for (const parameters of forms) {
      const found: Record<string, number> = {};
      for (let used = 0; used < USES; used += AT_ONCE) {
        const uses = Array.from({ length: AT_ONCE }, async (_, at) => {
          const answer = nodes[at % 2]?.tokens.issue({ domain: 'example.com', parameters });
          const word = await answer?.then(
            () => 'issued',
            (error) => `${error.details?.error ?? error.code}`,
          );
          found[`${word}`] = (found[`${word}`] ?? 0) + 1;
        });
        await Promise.all(uses);
      }
      const refusal = parameters === forms[0] ? 'invalid_client' : 'invalid_grant';
      expect(found).toEqual({ issued: 1, [refusal]: USES - 1 });
    }
    expect((await first.passports.list()).data).toHaveLength(2);
    await Promise.all(nodes.map((node) => node.close()));
  },
  60_000,
);

/** No ALLOW and no widened passport without the people that the rules demand at that moment. */
import { describe, expect, test } from 'vitest';
import { PATIENT_MS } from '../../../support/patience.ts';
import { claimsToTry, nightly, sized } from '../../../support/runs.ts';
import { openLocalService } from '../../../support/service.ts';
import { openOne, sharedStores } from '../../../support/stores.ts';
import { play } from './histories.ts';
import type { RuleName } from './oracle.ts';

/** The histories of each store; a server has fewer, because each of its steps waits for the network. */
const HISTORIES = {
  near: nightly(20_000, sized(300, 8)),
  server: nightly(1_000, sized(20, 1)),
};
/** The compiler asks for every rule. */
const RULES: Readonly<Record<RuleName, true>> = {
  ...{ count: true, 'stored count': true, 'present count': true, 'different people': true },
  ...{ 'asker by another': true, 'asking key by another': true, 'widener by another': true },
  ...{ 'stored by': true, 'present by': true, role: true, removed: true, rejected: true, 'used once': true },
  ...{ 'change asker': true, 'change applier': true, 'change widener': true, 'change version': true },
  'change authors': true,
  ...{ 'change people': true, 'changes off': true, 'widener of a change is its asker': true },
  'narrowing keeps the widener': true,
};
/** The histories in which a wrong rule must show. */
const TO_FIND = 400;
const FIRST = 1;

describe.each(await sharedStores())('four eyes in $name', (store) => {
  test('are those of the oracle', { timeout: nightly(3_600_000, 300_000) }, async () => {
    const isServer = store.name === 'PostgreSQL' || store.name === 'Redis';
    const { service } = openLocalService({
      ...{ storage: await openOne(store), clock: { now: () => Date.now() }, storageDeadlineMs: PATIENT_MS },
    });
    for (let seed = FIRST; seed < FIRST + (isServer ? HISTORIES.server : HISTORIES.near); seed += 1)
      expect(await play(service, seed)).toBeUndefined();
    await service.close();
  });
});

test.each(claimsToTry(Object.keys(RULES) as RuleName[], 6, 'the oracle of four eyes'))(
  'histories show where the rule %j is missing',
  { timeout: 120_000 },
  async (rule) => {
    const { service } = openLocalService();
    let found: string | undefined;
    for (let seed = FIRST; seed < FIRST + TO_FIND && found === undefined; seed += 1)
      found = await play(service, seed, rule);
    await service.close();
    expect(found).toBeDefined();
  },
);

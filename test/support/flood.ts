/** More verdicts than find a place while the storage takes none. */

import type { IdentityService } from '../../src/core.ts';
import type { Intent } from '../../src/records.ts';

const BATCHES = 500;
const BATCH = 100;
/** How many verdicts a flood is: about 38 MB of texts that no two of them share, where 32 MB find a place. */
export const FLOOD: number = BATCHES * BATCH;

/** The questions of a flood, as batches. */
export function* floodOf(): Generator<readonly Intent[]> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    yield Array.from({ length: BATCH }, (_, index) => {
      const name = `${batch}-${index}`;
      return {
        agent_id: 'did:web:example.com:agents:unknown',
        action: `flood.${name}-`.padEnd(250, 'b'),
        target: `did:web:example.com:shops:${name}-`.padEnd(510, 'c'),
      };
    });
  }
}

/** Asks all of that, in one turn of the event loop where no storage has one to wait for. */
export async function flood(service: IdentityService, account_id = 'acc_local'): Promise<number> {
  for (const intents of floodOf()) await service.verifyBatch({ intents }, { account_id });
  return FLOOD;
}

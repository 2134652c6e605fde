import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { identity } from '../../src/identity/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { newFolder } from '../storage/folder.ts';
import { kill, startVictim } from '../support/kills.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { nightly } from '../support/runs.ts';
import { SECRET } from '../support/service.ts';

const PROGRAM = fileURLToPath(new URL('./rotating.mjs', import.meta.url));
const KILLS = nightly(200, 5);

/** Runs the program until it is killed, some milliseconds after it began to rotate; what it has said. */
async function killed(file: string, afterMs: number): Promise<readonly string[]> {
  const victim = await startVictim(PROGRAM, [file, SECRET]);
  await pause(afterMs);
  return kill(victim);
}

test(
  'a process that is killed while it rotates leaves one key that signs, and each that was acknowledged',
  async () => {
    const file = join(newFolder(), 'a.db');
    for (let round = 0; round < KILLS; round += 1) {
      const [, ...made] = await killed(file, 5 + ((round * 7) % 60));
      const service = createIdentityService({
        storageDeadlineMs: PATIENT_MS,
        storage: await sqliteStorage({ file }),
        capabilities: [identity({ secret: SECRET })],
      });
      await service.health();
      const keys = await service.signing.list();
      expect(keys.filter(({ state }) => state === 'signing')).toHaveLength(1);
      for (const kid of made.filter((line) => line.length === 43)) {
        expect(keys.map((key) => key.kid)).toContain(kid);
      }
      await service.close();
    }
  },
  nightly(1_800_000, 120_000),
);

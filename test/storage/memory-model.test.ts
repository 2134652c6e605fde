import * as fc from 'fast-check';
import { test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { sized } from '../support/runs.ts';
import { agrees } from './journal-agreement.ts';
import { history } from './journal-histories.ts';

test('the journal in memory answers as plain lists do, whatever is called', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (calls) => {
      const storage = memoryStorage();
      await agrees(storage, calls);
      await storage.close();
    }),
    { numRuns: sized(5_000, 200) },
  );
});

/** The writers of local verifiers: an account opens at most 1,000 on a day. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { sentWriter } from '../../../src/core/shared/sent-writer.ts';
import { manualClock } from '../../support/service.ts';
import { packed, senderOf, sent, WRITER } from './stage.ts';

const MOST = 1_000;
const OTHER = 'f'.repeat(32);

test('an account that has opened 1,000 writers today opens no other; those go on', async () => {
  const clock = manualClock(Date.parse('2026-11-20T18:00:00.000Z'));
  const storage = memoryStorage();
  const { service, caller, made } = await senderOf(storage, { clock });
  const at = (count: number) => packed([made(count, { evaluated_at: clock.instant() })]);
  const dropped = () => packed([], [{ at_ms: clock.now(), environment: 'live', count: 1 }]);
  expect(await service.verifiers.file(sent(at(1)), caller)).toMatchObject({ result: 'filed' });
  const counter = `writers:2026-11-20T00:00:00.000Z:${caller.account_id}`;
  expect(await storage.count(counter, clock.instant())).toBe(1);
  await storage.write([{ op: 'add', counter, by: MOST - 1, at: clock.instant() }]);
  const refused = service.verifiers.file({ ...sent(dropped()), writer: OTHER, seq: 1 }, caller);
  await expect(refused).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('1000 local verifiers'),
    details: { retryAfterSeconds: 6 * 3_600 },
  });
  expect(await storage.journal.writers()).toHaveLength(1);
  expect(await service.verifiers.file(sent(at(2)), caller)).toMatchObject({ result: 'filed' });
  clock.advance(6 * 3_600_000);
  expect(await service.verifiers.file({ ...sent(dropped()), writer: OTHER, seq: 1 }, caller)).toMatchObject({
    result: 'filed',
  });
  const ids = [WRITER, OTHER].map((writer) => sentWriter(caller.key_id, writer));
  expect((await storage.journal.writers()).map(({ id }) => id).sort()).toEqual(ids.sort());
});

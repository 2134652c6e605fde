import { expect, test } from 'vitest';
import type { Change, StorageAdapter } from '../../src/ports/storage.ts';
import { fixtures } from '../../src/testing/storage-contract/fixtures.ts';
import { readStatusListClaim, TOKEN_STATUS } from '../../src/tokens/signing/status-list.ts';
import { STATUS_LIST_SIZE, statusListId } from '../../src/tokens/signing/status-list-id.ts';
import { claimsOf, openSigningService } from '../support/signing.ts';

/** One in a hundred of 500,000. */
const NOT_VALID = 5_000;

const LIST = statusListId('acc_local', 1);
const own = { account_id: 'acc_local' };

/** Passports that are revoked and suspended by turns, each with its place; the places by their status. */
async function fill(storage: StorageAdapter): Promise<ReadonlyMap<number, number>> {
  const list = { ...own, list_id: LIST };
  const places = new Map<number, number>();
  const insert = (
    collection: Change & { op: 'insert' } extends { collection: infer Name } ? Name : never,
    record: object,
  ) => ({ op: 'insert', collection, record }) as Change;
  await storage.write([
    insert('status_slots', fixtures.status_slots(LIST, { ...list, status_index: null, agent_id: null })),
  ]);
  for (let number = 0; number < NOT_VALID; number += 1) {
    const id = `did:web:example.com:agents:a${number}`;
    const isRevoked = number % 2 === 0;
    let status_index = 0;
    do {
      const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
      status_index = random % STATUS_LIST_SIZE;
    } while (places.has(status_index));
    places.set(status_index, isRevoked ? TOKEN_STATUS.invalid : TOKEN_STATUS.suspended);
    const status = isRevoked ? 'revoked' : 'suspended';
    const result = await storage.write([
      insert('passports', fixtures.passports(id, { ...own, agent_name: `a${number}`, status })),
      insert('status_slots', fixtures.status_slots(id, { ...list, status_index, agent_id: id })),
    ]);
    expect(result).toMatchObject({ written: true });
  }
  return places;
}

test('a list of 500,000 with 1 % that are not valid has at most 20 kB, and is made piece by piece', async () => {
  const { service, storage, clock } = openSigningService();
  const places = await fill(storage);
  let turns = 0;
  let isMade = false;
  const count = () => {
    turns += 1;
    if (!isMade) setImmediate(count);
  };
  setImmediate(count);
  const { token } = await service.signing.statusList(LIST);
  isMade = true;
  // Others had their turn after each page, and within it.
  expect(turns).toBeGreaterThan(NOT_VALID / 50);
  expect(token.length).toBeLessThanOrEqual(20_000);
  const list = await readStatusListClaim(claimsOf(token)['status_list']);
  const found = new Map<number, number>();
  for (let index = 0; index < STATUS_LIST_SIZE; index += 1) {
    const status = list?.at(index) ?? -1;
    if (status !== TOKEN_STATUS.valid) found.set(index, status);
  }
  expect(found).toEqual(places);
  clock.advance(60_000);
  expect((await service.signing.statusList(LIST)).token.length).toBe(token.length);
});

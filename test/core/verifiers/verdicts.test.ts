/** Blocks of verdicts that local verifiers have decided: what is filed, and what is refused with nothing stored. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { toBase64Url } from '../../../src/base/bytes/base64url.ts';
import { openBlock } from '../../../src/journal-format/index.ts';
import { BLOCK_FLAGS } from '../../../src/ports/journal.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { recordOf } from '../../journal-format/records.ts';
import {
  callerOf,
  issue,
  open,
  packed,
  recordsOf,
  type Sender as Stage,
  sent,
  senderOf as stage,
  WRITER,
} from './stage.ts';

const DAY_MS = 86_400_000;
const DENIED = { code: 'action_not_allowed', message: 'The action is not allowed.' };
const OVER_LIMIT = {
  ...{ code: 'amount_over_limit', message: 'The amount is over the limit.', limit: '5', actual: '6' },
};
const ABOVE = {
  ...{ code: 'parent_denied', message: 'The parent of the agent may not do this.' },
  ...{ parent: 'did:web:a.example:agents:top', reason: 'action_not_allowed' },
};
const NOT_FOUND = { code: 'agent_not_found', message: 'The agent is not found.' };

const INVALID = { code: 'invalid_request' };

async function storedOf({ service }: Pick<Stage, 'service'>): Promise<number> {
  const { data } = await service.verifications.list();
  const { journal_dropped } = await service.analytics();
  return data.length + journal_dropped;
}

describe('a block is filed', () => {
  test('with the name of the verifier, under the ids of its writer, and counted in the sums', async () => {
    const at = await stage();
    const records = [
      at.made(1, { subject: 'user-1' }),
      at.made(2, { reasons: [DENIED], approval_id: 'apr_1', hold_seconds: 60 }),
    ];
    const answer = await at.service.verifiers.file(sent(packed(records)), at.caller);
    expect(answer).toEqual({ seq: 2, result: 'filed' });
    const { data } = await at.service.verifications.list();
    expect(data.map(({ outcome: _, ...record }) => record)).toEqual([...records].reverse());
    expect((await at.service.analytics()).overview).toMatchObject({ allowed: 1, denied: 1 });
  });

  test('once for each number, and not below it; another key has a writer of its own', async () => {
    const at = await stage();
    const file = (...counts: number[]) =>
      at.service.verifiers.file(sent(packed(counts.map((count) => at.made(count)))), at.caller);
    expect(await file(2)).toEqual({ seq: 2, result: 'filed' });
    for (const seq of [1, 2]) expect(await file(seq)).toEqual({ seq, result: 'known' });
    // A block with an id that an earlier one may have is stored by no node.
    expect(await file(2, 3)).toEqual({ seq: 3, result: 'known' });
    expect(await storedOf(at)).toBe(1);
    const other = await callerOf(at.service);
    const theirs = packed([recordsOf(other, at.passport)(1)]);
    expect(await at.service.verifiers.file(sent(theirs), other)).toMatchObject({ result: 'filed' });
    expect(await storedOf(at)).toBe(2);
  });

  test('once when two nodes get it at the same time', async () => {
    const storage = memoryStorage();
    const at = await stage(storage);
    const block = sent(packed([at.made(1)]));
    const nodes = [at.service, open(storage)];
    const answers = await Promise.all(nodes.map((node) => node.verifiers.file(block, at.caller)));
    expect(answers.map(({ result }) => result).sort()).toEqual(['filed', 'known']);
    expect(await storedOf(at)).toBe(1);
  });

  test('without a read of an agent that memory has, however old, unless memory is behind', async () => {
    const inner = memoryStorage();
    const reads: string[] = [];
    const storage: StorageAdapter = {
      ...inner,
      get: (collection, id) => {
        if (collection === 'passports') reads.push(id);
        return inner.get(collection, id);
      },
    };
    let aheadMs = 0;
    const monotonic = () => performance.now() + aheadMs;
    const service = open(storage, { clock: { now: () => Date.now() + aheadMs, monotonic } });
    const caller = await callerOf(service);
    const passport = await issue(service, 'a');
    const { agent_id } = passport;
    const file = (seq: number, passport_version: number) => {
      const evaluated_at = new Date(Date.now() + aheadMs).toISOString();
      const record = recordsOf(caller, passport)(seq, { passport_version, evaluated_at });
      return service.verifiers.file(sent(packed([record])), caller);
    };
    await service.verify({ agent_id, action: 'orders.list' });
    reads.length = 0;
    aheadMs += 3_600_000;
    expect(await file(1, 1)).toMatchObject({ result: 'filed' });
    expect(reads).toEqual([]);
    // Another node has changed it.
    const other = open(inner);
    await other.passports.update(agent_id, { description: 'of another node' });
    expect(await file(2, 2)).toMatchObject({ result: 'filed' });
    await expect(file(3, 3)).rejects.toMatchObject(INVALID);
    expect(reads).toContain(agent_id);
  });

  test('whatever the messages of its reasons are, and stored with those of this release', async () => {
    const at = await stage();
    const reworded = [
      { ...OVER_LIMIT, message: 'Older releases said it so.' },
      { ...ABOVE, message: '' },
    ];
    const block = packed([at.made(1, { reasons: reworded })]);
    expect(await at.service.verifiers.file(sent(block), at.caller)).toEqual({ seq: 1, result: 'filed' });
    const { data } = await at.service.verifications.list();
    expect(data[0]?.reasons).toEqual([OVER_LIMIT, ABOVE]);
  });

  test('with its drops, which are moved to the retention if they are older', async () => {
    const at = await stage();
    const drops = [{ at_ms: Date.now(), environment: 'live', count: 3 }] as const;
    await at.service.verifiers.file(sent(packed([], drops)), at.caller);
    expect(await storedOf(at)).toBe(3);
    const old = [{ at_ms: 0, environment: 'live', count: 1 }] as const;
    expect(await at.service.verifiers.file(sent(packed([], old), 2), at.caller)).toMatchObject({
      result: 'filed',
    });
  });
});

test('drops of several blocks are joined into hours of the last day, and days before it', async () => {
  const storage = memoryStorage();
  const at = await stage(storage);
  const now = Date.now();
  for (let seq = 1; seq <= 3; seq += 1) {
    const drops = Array.from({ length: 1_000 }, (_, place) => {
      const minutes = place < 500 ? place * 2 + seq : place * 120 + seq;
      return { at_ms: now - minutes * 60_000, environment: 'live' as const, count: 1 };
    });
    await at.service.verifiers.file(sent(packed([], drops), seq), at.caller);
  }
  const { account_id } = at.caller;
  const headers = await storage.journal.blocks({ account_id, flags: BLOCK_FLAGS.drops, limit: 10 });
  const blocks = await storage.journal.load(headers);
  const drops = blocks.flatMap((block) => (block === undefined ? [] : openBlock(block.data).drops));
  expect(drops.reduce((sum, { count }) => sum + count, 0)).toBe(3_000);
  // 24 hours, 90 days, the periods at their ends, and the minutes in which the blocks were filed.
  const minutes = new Set(drops.map(({ at_ms }) => Math.floor(at_ms / 60_000)));
  expect(minutes.size).toBeLessThanOrEqual(120);
  expect(drops.every(({ at_ms }) => at_ms <= Date.now())).toBe(true);
});

describe('a block is refused as a whole, and nothing is stored', () => {
  const wrong: Record<string, (at: Stage) => Partial<VerdictRecord>> = {
    'another key': () => ({ key_id: 'key_other' }),
    'no key': () => ({ key_id: null }),
    'another environment': () => ({ environment: 'test' }),
    'no verifier': () => ({ verifier: null }),
    'a permit': () => ({ permit_audience: 'https://pay.example' }),
    'a name outside the grammar': () => ({ verifier: 'The service' }),
    'two verifiers': () => ({ verifier: 'other' }),
    'a proof': () => ({ proof_kid: 'kid' }),
    'an approval of an ALLOW': () => ({ approval_id: 'apr_1' }),
    'a hold of an ALLOW': () => ({ hold_seconds: 1 }),
    'a request id': () => ({ request_id: 'r' }),
    'an agent without a passport': () => ({ agent_id: 'did:web:shop.example:agents:unknown' }),
    'a later version': () => ({ passport_version: 2 }),
    'version 0': () => ({ passport_version: 0 }),
    'no version': () => ({ passport_version: null }),
    'a version of an agent that is not found': () => ({ reasons: [NOT_FOUND] }),
    'two reasons of an agent that is not found': () => ({
      reasons: [NOT_FOUND, DENIED],
      passport_version: null,
    }),
    'the id of the first record': (at) => ({ decision_id: at.made(1).decision_id }),
    'a fact that the rule does not give': () => ({ reasons: [{ ...DENIED, since: null }] }),
    'a fact of another type': () => ({ reasons: [{ ...OVER_LIMIT, actual: true }] }),
    'a reason without its facts': () => ({ reasons: [{ ...OVER_LIMIT, limit: undefined as never }] }),
    'a reason twice': () => ({ reasons: [DENIED, DENIED] }),
    'a reason of a passport above twice': () => ({ reasons: [ABOVE, ABOVE] }),
    'a reason of a passport above that no rule gives': () => ({ reasons: [{ ...ABOVE, reason: 'x' }] }),
    'reasons of five passports above': () => ({
      reasons: [1, 2, 3, 4, 5].map((level) => ({ ...ABOVE, parent: `did:web:a.example:agents:${level}` })),
    }),
    'an instant ahead': () => ({ evaluated_at: new Date(Date.now() + 6_000).toISOString() }),
    'an old instant': () => ({ evaluated_at: new Date(Date.now() - DAY_MS - 1_000).toISOString() }),
    'no such currency': () => ({ currency: 'XXY' }),
    'a long action': () => ({ action: 'a'.repeat(257) }),
    'no agent': () => ({ agent_id: '' }),
    'a subject with a line feed': () => ({ subject: 'a\nb' }),
    'five passports above': () => ({ ancestor_versions: [1, 1, 1, 1, 1] }),
    budgets: (at) => ({
      budgets: [
        {
          ...{ agent_id: at.passport.agent_id, name: 'day', window: 'day', limit: 1, count: null },
          ...{ spent: 1, held: 0, remaining: 0, resets_at: null },
        },
      ],
    }),
  };
  const codes = ['approval_required', 'approval_used', 'budget_exceeded', 'budget_unknown', 'too_many_holds'];
  const ofHistory = ['pace_exceeded', 'history_unknown'];
  for (const code of [...codes, ...ofHistory, 'proof_invalid', 'proof_replayed', 'own_rule'])
    wrong[`the reason ${code}`] = () => ({ reasons: [{ code, message: 'x' }] });

  test.each(Object.entries(wrong))('%s', async (_name, change) => {
    const at = await stage();
    const evaluated_at = change(at).evaluated_at;
    const first = at.made(1, evaluated_at === undefined ? {} : { evaluated_at });
    const records = evaluated_at === undefined ? [first, at.made(2, change(at))] : [first];
    await expect(at.service.verifiers.file(sent(packed(records)), at.caller)).rejects.toMatchObject(INVALID);
    expect(await storedOf(at)).toBe(0);
  });

  test('an id of another writer', async () => {
    const at = await stage();
    const records = [at.made(2, { decision_id: recordOf(2).decision_id })];
    await expect(at.service.verifiers.file(sent(packed(records)), at.caller)).rejects.toMatchObject(INVALID);
    expect(await storedOf(at)).toBe(0);
  });

  test('an agent of another account', async () => {
    const storage = memoryStorage();
    const at = await stage(storage);
    const other = await callerOf(at.service, { account_id: 'acc_other' });
    const block = sent(packed([recordsOf(other, at.passport)(1)]));
    await expect(at.service.verifiers.file(block, other)).rejects.toMatchObject(INVALID);
    expect(await storedOf(at)).toBe(0);
  });

  test.each([
    ['of another environment', { at_ms: Date.now(), environment: 'test', count: 1 }],
    ['above 10^9', { at_ms: Date.now(), environment: 'live', count: 1_000_000_001 }],
    ['of nothing', { at_ms: Date.now(), environment: 'live', count: 0 }],
    ['ahead of the time', { at_ms: Date.now() + 60_000, environment: 'live', count: 1 }],
  ] as const)('a drop %s', async (_name, drop) => {
    const at = await stage();
    await expect(
      at.service.verifiers.file(sent(packed([at.made(1)], [drop])), at.caller),
    ).rejects.toMatchObject(INVALID);
    expect(await storedOf(at)).toBe(0);
  });

  test('subjects without their texts, and texts without subjects', async () => {
    const at = await stage();
    const { erasable, ...withSubject } = sent(packed([at.made(1, { subject: 'user-1' })]));
    const without = { ...sent(packed([at.made(1)])), erasable: erasable as string };
    for (const input of [withSubject, without])
      await expect(at.service.verifiers.file(input, at.caller)).rejects.toMatchObject(INVALID);
    expect(await storedOf(at)).toBe(0);
  });

  test('bytes that are damaged anywhere, cut, or invented', async () => {
    const at = await stage();
    const { data } = packed([at.made(1), at.made(2, { reasons: [DENIED] })]);
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.nat(data.length - 1).map((length) => data.slice(0, Math.max(length, 1))),
      fc
        .tuple(fc.nat(data.length - 1), fc.integer({ min: 1, max: 255 }))
        .map(([place, bits]) => data.with(place, (data[place] as number) ^ bits)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (hostile) => {
        const input = { writer: WRITER, seq: 1, block: toBase64Url(hostile) };
        await expect(at.service.verifiers.file(input, at.caller)).rejects.toMatchObject(INVALID);
      }),
    );
    expect(await storedOf(at)).toBe(0);
  });

  test.each([
    ['a writer', { writer: 'x' }],
    ['number 0', { seq: 0 }],
    ['a number above that of its last record', { seq: 2 }],
    ['padding', { block: 'AA==' }],
  ])('%s outside the schema, or of another block', async (_name, change) => {
    const at = await stage();
    const input = { ...sent(packed([at.made(1)])), ...change };
    await expect(at.service.verifiers.file(input, at.caller)).rejects.toMatchObject(INVALID);
  });
});

test('a key without verify or without decide is refused', async () => {
  const at = await stage();
  for (const scope of ['verify', 'decide'] as const) {
    const caller = { ...at.caller, scopes: [scope] };
    await expect(at.service.verifiers.file(sent(packed([at.made(1)])), caller)).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
  }
});

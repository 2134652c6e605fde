/** What the service answers to a local verifier that confirms the passports it holds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Passport } from '../../../src/records.ts';
import { DECISION_VERSION, defaultRules } from '../../../src/verdict/index.ts';
import { ask, callerOf, issue, known, open } from './stage.ts';

describe('what differs from what is known', () => {
  test('comes as it is stored, with all above it; what is as known does not', async () => {
    const service = open();
    const caller = await callerOf(service);
    const top = await issue(service, 'top');
    const child = await issue(service, 'child', top);
    const first = await service.verifiers.confirm(ask({ [child.agent_id]: null }), caller);
    expect(first.passports).toEqual({ [child.agent_id]: child, [top.agent_id]: top });
    expect(first).toMatchObject({ turn: 1, ask: null, unread: [], environment: 'live' });
    expect(first.decision_version).toBe(DECISION_VERSION);
    expect([first.key_id, first.account_id]).toEqual([caller.key_id, caller.account_id]);
    const both = { [child.agent_id]: known(child), [top.agent_id]: known(top) };
    expect((await service.verifiers.confirm(ask(both), caller)).passports).toEqual({});
    const changed = await service.passports.update(top.agent_id, { monetary_limit_per_txn: 1 });
    expect((await service.verifiers.confirm(ask(both), caller)).passports).toEqual({
      [top.agent_id]: changed,
    });
    const alone = { [child.agent_id]: known(child) };
    expect(Object.keys((await service.verifiers.confirm(ask(alone), caller)).passports)).toEqual([
      top.agent_id,
    ]);
  });

  test('a suspension is shown with its end, also after it', async () => {
    const clock = { at: Date.parse('2026-11-24T12:00:00Z'), now: () => clock.at };
    const service = open(memoryStorage(), { clock });
    const caller = await callerOf(service);
    const { agent_id } = await issue(service, 'a');
    await service.suspend({ agent_id, until: '2026-11-24T12:00:05Z' });
    clock.at += 10_000;
    const { passports } = await service.verifiers.confirm(ask({ [agent_id]: null }), caller);
    expect((await service.passports.get(agent_id)).status).toBe('active');
    expect(passports[agent_id]).toMatchObject({
      status: 'suspended',
      suspended_until: '2026-11-24T12:00:05.000Z',
    });
  });

  test('an agent of another account answers byte for byte as one that does not exist', async () => {
    const service = open();
    const theirs = await issue(service, 'theirs');
    const caller = await callerOf(service, { account_id: 'acc_other' });
    const absent = 'did:web:shop.example:agents:nobody';
    for (const what of [null, known(theirs)]) {
      const { passports } = await service.verifiers.confirm(
        ask({ [theirs.agent_id]: what, [absent]: what }),
        caller,
      );
      expect(passports).toEqual({ [theirs.agent_id]: null, [absent]: null });
    }
    const { passports } = await service.verifiers.confirm(
      ask({ [theirs.agent_id]: '', [absent]: '' }),
      caller,
    );
    expect(passports).toEqual({});
  });

  test('a key for some agents sees no other, but for those above them that are named beside them', async () => {
    const service = open();
    const top = await issue(service, 'top');
    const child = await issue(service, 'child', top);
    const caller = await callerOf(service, { agent_ids: [child.agent_id] });
    const alone = await service.verifiers.confirm(ask({ [top.agent_id]: null }), caller);
    expect(alone.passports).toEqual({ [top.agent_id]: null });
    const beside = ask({ [top.agent_id]: known(top), [child.agent_id]: known(child) });
    expect((await service.verifiers.confirm(beside, caller)).passports).toEqual({});
  });

  test('an answer ends at about 1 MB: the rest is named, and comes when it is asked for again', async () => {
    const service = open();
    const caller = await callerOf(service);
    const all: string[] = [];
    for (let index = 0; index < 40; index++) {
      const { agent_id } = await service.passports.create({
        domain: 'shop.example',
        agent_name: `large-${index}`,
        allowed_actions: Array.from({ length: 250 }, (_, at) => `${at}.${'x'.repeat(115)}`),
        monetary_limit_per_txn: 0,
      });
      all.push(agent_id);
    }
    let left: readonly string[] = all;
    const got = new Set<string>();
    for (let asked = 0; left.length > 0; asked++) {
      expect(asked).toBeLessThan(4);
      const answer = await service.verifiers.confirm(
        ask(Object.fromEntries(left.map((id) => [id, null]))),
        caller,
      );
      expect(JSON.stringify(answer).length).toBeLessThan(1_048_576);
      for (const id of Object.keys(answer.passports)) got.add(id);
      left = answer.unread;
    }
    expect([...got].sort()).toEqual([...all].sort());
  });
});

describe('the date of an answer', () => {
  test.each([
    ['with notices', (storage: StorageAdapter) => storage],
    ['without notices', ({ subscribe: _, ...storage }: StorageAdapter) => storage as StorageAdapter],
  ])('is never later than the state that it shows, %s', async (_, behind) => {
    const storage = memoryStorage();
    const writer = open(storage);
    const reader = open(behind(storage));
    const caller = await callerOf(writer);
    const { agent_id } = await issue(writer, 'a');
    /** The instants by which a version was acknowledged. */
    const acknowledged = [{ version: 1, at: 0 }];
    let isOver = false;
    const changes = (async () => {
      for (let limit = 1; limit <= 40; limit++) {
        const { version } = await writer.passports.update(agent_id, { monetary_limit_per_txn: limit });
        acknowledged.push({ version, at: performance.now() });
        await sleep(limit % 7);
      }
      isOver = true;
    })();
    let answers = 0;
    while (!isOver) {
      const sentAt = performance.now();
      const { as_of_ms, passports } = await reader.verifiers.confirm(ask({ [agent_id]: null }), caller);
      const due = acknowledged.filter(({ at }) => at < sentAt + as_of_ms).length;
      expect((passports[agent_id] as Passport).version).toBeGreaterThanOrEqual(due);
      answers += 1;
      await sleep(answers % 5);
    }
    await changes;
    expect(answers).toBeGreaterThan(10);
  });

  test('many verifiers of one agent cost a read in a tenth of a second', async () => {
    const storage = memoryStorage();
    let reads = 0;
    const counting: StorageAdapter = {
      ...storage,
      get(collection, id) {
        if (collection === 'passports') reads += 1;
        return storage.get(collection, id);
      },
    };
    const service = open(counting);
    const caller = await callerOf(service);
    const { agent_id } = await issue(service, 'a');
    reads = 0;
    const confirm = () => service.verifiers.confirm(ask({ [agent_id]: '' }), caller);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 60 }, confirm));
    await Promise.all(Array.from({ length: 60 }, confirm));
    expect(reads).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 100);
  });

  test('costs one way to the storage: the time, the key, its account and the agent are read at once', async () => {
    const storage = memoryStorage();
    const waiting = new Map<string, () => void>();
    const held = (name: string) => new Promise<void>((resolve) => waiting.set(name, resolve));
    const passport = await issue(open(storage), 'a');
    let isSlow = false;
    const slow: StorageAdapter = {
      ...storage,
      async get(collection, id) {
        if (isSlow) await held(collection);
        return storage.get(collection, id);
      },
      async time(...given) {
        if (isSlow) await held('time');
        return storage.time(...given);
      },
    };
    const service = open(slow, { storageDeadlineMs: 60_000 });
    const caller = await callerOf(service);
    // What was read before is too old to be shared.
    await sleep(120);
    isSlow = true;
    const answer = service.verifiers.confirm(ask({ [passport.agent_id]: null }), caller);
    await sleep(0);
    expect([...waiting.keys()].sort()).toEqual(['accounts', 'keys', 'passports', 'time']);
    isSlow = false;
    for (const release of waiting.values()) release();
    expect((await answer).passports).toEqual({ [passport.agent_id]: passport });
  });
});

describe('a verifier may not decide', () => {
  const hostRule = () => undefined;
  test.each([
    ['rules', { rules: [...defaultRules, hostRule] }],
    ['strict', { consistency: 'strict' }],
    ['strict', { journal: 'strict' }],
  ] as const)('%s', async (reason, options) => {
    const service = open(memoryStorage(), options);
    const caller = await callerOf(service);
    expect((await service.verifiers.confirm(ask({}), caller)).ask).toBe(reason);
  });

  test('while its account is over its rate', async () => {
    const plans = { enterprise: { keys: null, passports: null, verifications_per_minute: 1 } };
    const service = open(memoryStorage(), { plans });
    const caller = await callerOf(service);
    expect((await service.verifiers.confirm(ask({}), caller)).ask).toBe(null);
    service.serving.countVerifications(caller, 1);
    expect((await service.verifiers.confirm(ask({}), caller)).ask).toBe('rate');
  });

  test('without both scopes', async () => {
    const service = open();
    for (const scopes of [['verify'], ['decide']] as const) {
      const { key } = await service.keys.create({ name: 'a', scopes });
      const caller = await service.serving.authenticateKey(key);
      await expect(service.verifiers.confirm(ask({}), caller)).rejects.toMatchObject({
        code: 'insufficient_scope',
      });
    }
  });
});

test('malformed input is refused, each place by its path', async () => {
  const service = open();
  const caller = await callerOf(service);
  const wrong: readonly (readonly [object, string])[] = [
    [{}, '/turn'],
    [{ ...ask({}), turn: -1 }, '/turn'],
    [{ ...ask({}), wait_ms: 1_001 }, '/wait_ms'],
    [{ ...ask({}), agents: [] }, '/agents'],
    [ask(Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`a${index}`, null]))), '/agents'],
    [ask({ a: '1' }), '/agents/a'],
    [ask({ a: '0 2026-11-24T12:00:00.000Z' }), '/agents/a'],
    [ask({ a: '1 yesterday' }), '/agents/a'],
    [ask({ 'a/b': 7 as unknown as string }), '/agents/a~1b'],
    [{ ...ask({}), more: 1 }, '/more'],
  ];
  for (const [input, path] of wrong) {
    const error = await service.verifiers.confirm(input as never, caller).then(
      () => undefined,
      (thrown) => thrown,
    );
    expect(error?.code, path).toBe('invalid_request');
    expect(error.details.errors.map((one: { path: string }) => one.path)).toContain(path);
  }
});

/** A request of a verifier that waits for a change. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { IdentityServiceOptions } from '../../../src/index.ts';
import { ask, callerOf, issue, known, open } from './stage.ts';

/** Timers of which a wait of a second never ends by itself: what ends it is what the test does. */
const endless: Pick<IdentityServiceOptions, 'after'> = {
  after(ms, run) {
    if (ms === 1_000) return () => undefined;
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

describe('a wait for a change', () => {
  test('ends with a change of an agent, and at once where one came since the last answer', async () => {
    const service = open(memoryStorage(), endless);
    const caller = await callerOf(service);
    const passport = await issue(service, 'a');
    const { agent_id } = passport;
    const waiting = service.verifiers.confirm(ask({ [agent_id]: known(passport) }, 1_000), caller);
    await sleep(20);
    await service.revoke({ agent_id });
    expect((await waiting).passports[agent_id]).toMatchObject({ status: 'revoked', version: 2 });
    const next = await service.verifiers.confirm(ask({ [agent_id]: known(passport) }, 1_000), caller);
    expect(next.passports[agent_id]).toMatchObject({ status: 'revoked' });
  });

  test('does not begin where nothing is known of an agent', async () => {
    const service = open(memoryStorage(), endless);
    const caller = await callerOf(service);
    await service.verifiers.confirm(ask({ 'did:web:shop.example:agents:x': null }, 1_000), caller);
  });

  test('a key that is revoked meanwhile is refused, as is one that loses a scope', async () => {
    const service = open(memoryStorage(), endless);
    const [first, second] = [await callerOf(service), await callerOf(service)];
    const passport = await issue(service, 'a');
    const agents = { [passport.agent_id]: known(passport) };
    const refused = service.verifiers.confirm(ask(agents, 1_000), first).catch(({ code }) => code);
    const narrowed = service.verifiers.confirm(ask(agents, 1_000), second).catch(({ code }) => code);
    await sleep(20);
    await service.keys.revoke(first.key_id);
    await service.keys.update(second.key_id, { scopes: ['verify'] });
    expect(await Promise.all([refused, narrowed])).toEqual(['unauthenticated', 'insufficient_scope']);
  });

  test('does not begin where the key was narrowed or revoked, or lost a scope, since the last answer', async () => {
    const service = open(memoryStorage(), endless);
    const caller = await callerOf(service);
    const [passport, other] = [await issue(service, 'a'), await issue(service, 'b')];
    const agents = { [passport.agent_id]: known(passport) };
    await service.verifiers.confirm(ask(agents), caller);
    await service.keys.update(caller.key_id, { agent_ids: [other.agent_id] });
    const { passports } = await service.verifiers.confirm(ask(agents, 1_000), caller);
    expect(passports).toEqual({ [passport.agent_id]: null });
    const again = () => service.verifiers.confirm(ask(agents, 1_000), caller);
    await service.keys.update(caller.key_id, { scopes: ['verify'] });
    await expect(again()).rejects.toMatchObject({ code: 'insufficient_scope' });
    await service.keys.revoke(caller.key_id);
    await expect(again()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('begins where an agent that the key does not see is above one that it sees', async () => {
    const service = open(memoryStorage(), endless);
    const top = await issue(service, 'top');
    const child = await issue(service, 'child', top);
    const caller = await callerOf(service, { agent_ids: [child.agent_id] });
    const agents = { [top.agent_id]: known(top), [child.agent_id]: known(child) };
    let isOver = false;
    const waiting = service.verifiers.confirm(ask(agents, 1_000), caller).finally(() => {
      isOver = true;
    });
    await sleep(50);
    expect(isOver).toBe(false);
    service.verifiers.end();
    expect((await waiting).passports).toEqual({});
  });

  test('ends with no change of an agent of another account, or outside the agents of the key', async () => {
    const service = open(memoryStorage(), endless);
    const [own, sibling] = [await issue(service, 'own'), await issue(service, 'sibling')];
    const caller = await callerOf(service, { agent_ids: [own.agent_id] });
    const foreign = 'did:web:theirs.example:agents:a';
    const may = { allowed_actions: ['*'], monetary_limit_per_txn: 0 };
    const theirs = { domain: 'theirs.example', agent_name: 'a', ...may };
    const other = { account_id: 'acc_other' };
    await service.passports.create(theirs, other);
    await service.passports.update(foreign, { description: 'changed' }, other);
    let isOver = false;
    const agents = { [own.agent_id]: known(own), [foreign]: '', [sibling.agent_id]: '' };
    const waiting = service.verifiers.confirm(ask(agents, 1_000), caller).finally(() => {
      isOver = true;
    });
    await sleep(20);
    await service.revoke({ agent_id: foreign }, other);
    await service.passports.update(sibling.agent_id, { description: 'changed' });
    await sleep(50);
    expect(isOver).toBe(false);
    await service.passports.update(own.agent_id, { description: 'changed' });
    expect((await waiting).passports).toMatchObject({ [own.agent_id]: { version: 2 } });
    // To say that such an agent is known shows nothing either: it is null at once, as one that does not exist.
    const claimed = { [foreign]: known(own), 'did:web:theirs.example:agents:none': known(own) };
    const answer = await service.verifiers.confirm(ask(claimed, 1_000), caller);
    expect(Object.values(answer.passports)).toEqual([null, null]);
  });

  test('ends with the agent that was absent, once it is there', async () => {
    const service = open(memoryStorage(), endless);
    const caller = await callerOf(service);
    const agent_id = 'did:web:shop.example:agents:later';
    const waiting = service.verifiers.confirm(ask({ [agent_id]: '' }, 1_000), caller);
    await sleep(20);
    await issue(service, 'later');
    expect((await waiting).passports).toMatchObject({ [agent_id]: { version: 1 } });
  });

  test('ends with a node that stops, and with its caller', async () => {
    const service = open(memoryStorage(), endless);
    const caller = await callerOf(service);
    const passport = await issue(service, 'a');
    const agents = { [passport.agent_id]: known(passport) };
    const leaving = new AbortController();
    const ended = service.verifiers.confirm(ask(agents, 1_000), { ...caller, signal: leaving.signal });
    const waiting = service.verifiers.confirm(ask(agents, 1_000), caller);
    leaving.abort();
    await ended;
    service.verifiers.end();
    expect((await waiting).passports).toEqual({});
    await service.verifiers.confirm(ask(agents, 1_000), caller);
  });

  test('an account has 500 places for those that wait, on each node', async () => {
    const service = open(memoryStorage(), endless);
    const caller = await callerOf(service);
    const passport = await issue(service, 'a');
    const confirm = () =>
      service.verifiers.confirm(ask({ [passport.agent_id]: known(passport) }, 1_000), caller);
    const waiting = Array.from({ length: 500 }, confirm);
    await expect(confirm()).rejects.toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 1 } });
    service.verifiers.end();
    await Promise.all(waiting);
    await confirm();
  });
});

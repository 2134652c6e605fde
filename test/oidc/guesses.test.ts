/** One address cannot make the nodes ask the issuer without bound. */
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { IdentityError, type OidcProvider } from '../../src/ports/index.ts';
import { believing, ISSUER, openAccount, openNode } from './stage.ts';

const HERE = '203.0.113.7';
const ELSEWHERE = '203.0.113.8';
const SIGN_INS = 50;
const BEGUN = 300;

/** Two nodes on one storage with an issuer that counts how often it is asked. */
function openNodes(finish: OidcProvider['finish'] = believing.finish) {
  const storage = memoryStorage();
  let asked = 0;
  const provider: OidcProvider = {
    ...believing,
    finish: (...given) => {
      asked += 1;
      return finish(...given);
    },
  };
  const nodes = [openNode({ provider }, storage), openNode({ provider }, storage)] as const;
  const [{ service }] = nodes;
  const end = async (sub: string, { at = 0, address = HERE, link }: End = {}) => {
    const node = nodes[at]?.service ?? service;
    const { transaction } = await service.oidc.start();
    const response = JSON.stringify({ iss: ISSUER, sub });
    const given = { transaction, response, ...(link !== undefined && { link }) };
    return node.oidc.finish(given, { address });
  };
  const code = (...given: Parameters<typeof end>) =>
    end(...given).then(
      () => 'signed in',
      (error: IdentityError) => error.code,
    );
  return { service, nodes, code, end, asked: () => asked };
}

interface End {
  readonly at?: number;
  readonly address?: string;
  readonly link?: string;
}

test('asks the issuer for fifty of a hundred sign-ins without a link at once, over two nodes', async () => {
  const { nodes, code, end, asked } = openNodes();
  const codes = await Promise.all(Array.from({ length: 100 }, (_, index) => code('x', { at: index % 2 })));
  expect(codes.filter((each) => each === 'invalid_credentials')).toHaveLength(SIGN_INS);
  expect(codes.filter((each) => each === 'rate_limited')).toHaveLength(100 - SIGN_INS);
  expect(asked()).toBe(SIGN_INS);
  await expect(end('x')).rejects.toMatchObject({ details: { retryAfterSeconds: 900 } });
  expect(await code('x', { address: ELSEWHERE })).toBe('invalid_credentials');
  const [{ logs }] = nodes;
  expect(logs.at(-2)).toMatchObject({
    event: 'member.sign_in_refused',
    reason: 'rate_limited',
    address: HERE,
  });
});

test.each<[failure: string, finish: OidcProvider['finish']]>([
  ['does not answer', () => Promise.reject(new IdentityError('service_unreachable', 'It is down.'))],
  ['throws an error that is not ours', () => Promise.reject(new Error('broken'))],
  ['names no person', async () => ({}) as never],
])('an issuer that %s is asked fifty times, with a link as well', async (_, finish) => {
  const { service, code, asked } = openNodes(finish);
  const account_id = await openAccount(service);
  const { link } = await service.members.invite({ role: 'viewer' }, { account_id });
  for (let time = 0; time < SIGN_INS - 1; time += 1) await code('x');
  await code('x', { link: link.token });
  expect(asked()).toBe(SIGN_INS);
  for (const given of [{}, { link: link.token }]) expect(await code('x', given)).toBe('rate_limited');
  expect(asked()).toBe(SIGN_INS);
});

test('sign-ins that end well do not count, and those in process have no limit', async () => {
  const { service, code, asked } = openNodes();
  const account_id = await openAccount(service);
  const { link } = await service.members.invite({ role: 'viewer' }, { account_id });
  expect(await code('ben', { link: link.token })).toBe('signed in');
  for (let time = 0; time < SIGN_INS + 5; time += 1) expect(await code('ben')).toBe('signed in');
  for (let time = 0; time < SIGN_INS; time += 1) expect(await code('x')).toBe('invalid_credentials');
  expect(await code('ben')).toBe('rate_limited');
  const before = asked();
  const { transaction } = await service.oidc.start();
  await service.oidc.finish({ transaction, response: JSON.stringify({ iss: ISSUER, sub: 'ben' }) });
  expect(asked()).toBe(before + 1);
});

test('a transaction that is not of the service is refused without a write, and does not count', async () => {
  const { service, code, asked } = openNodes();
  for (let time = 0; time < SIGN_INS + 5; time += 1) {
    const given = { transaction: `t${time}`, response: '{}' };
    await expect(service.oidc.finish(given, { address: HERE })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
  }
  expect(asked()).toBe(0);
  expect(await code('x')).toBe('invalid_credentials');
});

test('over HTTP the answer is 429 with Retry-After', async () => {
  const { service, code } = openNodes();
  for (let time = 0; time < SIGN_INS; time += 1) await code('x');
  const { transaction } = await service.oidc.start();
  const body = JSON.stringify({ transaction, response: JSON.stringify({ iss: ISSUER, sub: 'x' }) });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const request = new Request('https://id.example/api/auth/oidc/finish', init);
  const answer = await fetchHandler(service, { address: () => HERE })(request);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '900']);
});

describe('sign-ins that are begun', () => {
  test('are 300 of one address that have not ended well, over two nodes', async () => {
    const storage = memoryStorage();
    let asked = 0;
    const start: OidcProvider['start'] = () => {
      asked += 1;
      return believing.start();
    };
    const provider = { ...believing, start };
    const nodes = [openNode({ provider }, storage), openNode({ provider }, storage)] as const;
    const begin = (at: number, address = HERE) =>
      nodes[at % 2]?.service.oidc.start({ address }).then(
        ({ transaction }) => transaction,
        (error: IdentityError) => error.code,
      );
    const begun = await Promise.all(Array.from({ length: BEGUN + 20 }, (_, at) => begin(at)));
    expect(begun.filter((one) => one === 'rate_limited')).toHaveLength(20);
    expect(asked).toBe(BEGUN);
    const [one, two] = nodes;
    const refused = { event: 'member.sign_in_refused', reason: 'rate_limited', address: HERE };
    expect([...one.logs, ...two.logs]).toEqual(Array(20).fill(expect.objectContaining(refused)));
    await expect(one.service.oidc.start({ address: HERE })).rejects.toMatchObject({
      details: { retryAfterSeconds: 900 },
    });
    expect(await begin(0, ELSEWHERE)).not.toBe('rate_limited');
    // In process there is no limit.
    expect(await one.service.oidc.start()).toMatchObject({ transaction: expect.any(String) });

    // One that ends well, on the other node, makes room for another one; one that fails does not.
    const account_id = await openAccount(one.service);
    const { link } = await one.service.members.invite({ role: 'viewer' }, { account_id });
    const [first = '', second = ''] = begun.filter((each) => each !== 'rate_limited');
    const end = (transaction: string, more: object = {}) => {
      const response = JSON.stringify({ iss: ISSUER, sub: 'ben' });
      return two.service.oidc.finish({ transaction, response, ...more }, { address: HERE });
    };
    await expect(end(second)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await begin(0)).toBe('rate_limited');
    await end(first, { link: link.token });
    expect(await begin(0)).not.toBe('rate_limited');
    expect(await begin(1)).toBe('rate_limited');
  });

  test('do not count where they end well', async () => {
    const { service } = openNode();
    const account_id = await openAccount(service);
    const { link } = await service.members.invite({ role: 'viewer' }, { account_id });
    for (let time = 0; time < BEGUN + 5; time += 1) {
      const { transaction } = await service.oidc.start({ address: HERE });
      const response = JSON.stringify({ iss: ISSUER, sub: 'ben' });
      const given = { transaction, response, ...(time === 0 && { link: link.token }) };
      await service.oidc.finish(given, { address: HERE });
    }
  });

  test('are counted where the issuer does not answer as well, and the log says so', async () => {
    const down = new IdentityError('service_unreachable', 'It is down.');
    let asked = 0;
    const start = () => {
      asked += 1;
      return Promise.reject(down);
    };
    const { service, logs } = openNode({ provider: { ...believing, start } });
    const post = fetchHandler(service, { address: () => HERE });
    const begin = async () => {
      const { status, headers } = await post(
        new Request('https://id.example/api/auth/oidc/start', { method: 'POST' }),
      );
      return [status, headers.get('retry-after')];
    };
    for (let time = 0; time < BEGUN; time += 1) expect(await begin()).toEqual([503, '1']);
    expect(await begin()).toEqual([429, '900']);
    expect(asked).toBe(BEGUN);
    const [line] = logs.filter(({ event }) => event === 'member.sign_in_refused');
    expect(line).toMatchObject({ reason: 'service_unreachable', address: HERE });
  });
});

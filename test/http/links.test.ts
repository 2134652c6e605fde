/** Links in the hands of a third party: tokens that are malformed, expired or guessed. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { firstMemberId } from '../../src/core/shared/people.ts';
import { createSecretText } from '../../src/credential/random-id.ts';
import { makeKey, openApi, signIn } from '../support/api.ts';
import { nightly, sized } from '../support/runs.ts';
import { openService, PASSWORD } from '../support/service.ts';

const HERE = '203.0.113.7';
const LINKS = 50;
const GUESSES = nightly(100_000, sized(5_000, 2_000));
const PREFIX = 'ais_link_';

/** A service over a storage that counts its reads and writes. */
async function openCounted() {
  const inner = memoryStorage();
  const calls = { count: 0 };
  const counted =
    <Given extends unknown[], Answer>(call: (...given: Given) => Answer) =>
    (...given: Given): Answer => {
      calls.count += 1;
      return call(...given);
    };
  const storage = {
    ...inner,
    get: counted(inner.get),
    list: counted(inner.list),
    write: counted(inner.write),
  };
  const opened = openService({ storage: storage as typeof inner });
  const api = openApi(opened);
  const { token, account_id, email } = await signIn(opened, api);
  const post = (path: string, json: object, address = HERE) => api.ask('POST', path, { json, address });
  return { ...opened, api, calls, token, account_id, email, post };
}

/** A token with the right checksum that no link has. */
function guess(number: number): string {
  let at = number;
  const bytes = (length: number) =>
    Uint8Array.from({ length }, () => {
      at = (at * 1_103_515_245 + 12_345) % 2 ** 31;
      return at >>> 16;
    });
  return createSecretText(PREFIX, { bytes });
}

test('what is no token of a link is 404 without a call of the storage, and no link is another credential', async () => {
  const { service, api, calls, token, account_id, post, secrets } = await openCounted();
  const { key } = await makeKey(api, token);
  const { link } = await service.members.invite({ role: 'owner' }, { account_id });
  secrets.add(link.token);
  const last = link.token.endsWith('0') ? '1' : '0';
  const before = calls.count;
  for (const wrong of [
    ...[key, '', PREFIX, link.token.slice(0, -1), `${link.token.slice(0, -1)}${last}`],
    ...[link.token.toUpperCase(), ` ${link.token}`, key.replace('ais_live_', PREFIX)],
  ]) {
    expect((await post('/auth/link', { token: wrong })).status).toBe(404);
    expect((await post('/auth/accept', { token: wrong, password: PASSWORD })).status).toBe(404);
  }
  // A token of a session is longer than any link.
  expect((await post('/auth/link', { token })).status).toBe(400);
  expect(calls.count).toBe(before);
  expect((await api.ask('GET', '/account', { token: link.token })).status).toBe(401);
  const verified = await api.ask('POST', '/verify', {
    key: link.token,
    json: { agent_id: 'a', action: 'b' },
  });
  expect(verified.status).toBe(401);
  expect((await post('/auth/link', { token: link.token })).status).toBe(200);
});

test('a link that is unknown, used, replaced, expired or of a disabled account is the same 404', async () => {
  const { service, account_id, email, post, clock, secrets } = await openCounted();
  const who = { account_id };
  const invite = async () => {
    const made = await service.members.invite({ role: 'viewer' }, who);
    secrets.add(made.link.token);
    return made;
  };
  const [used, replaced, expired, open] = [await invite(), await invite(), await invite(), await invite()];
  const accept = { token: used.link.token, password: PASSWORD, email: 'ben@example.com' };
  expect((await post('/auth/accept', accept)).status).toBe(200);
  secrets.add((await service.members.link(replaced.member.id, who)).token);
  const answers: unknown[] = [];
  const ask = async (token: string) => {
    for (const [path, more] of [
      ['/auth/link', {}],
      ['/auth/accept', { password: PASSWORD, email: 'cy@example.com' }],
    ] as const) {
      const { status, body } = await post(path, { token, ...more });
      answers.push({ status, ...body, request_id: '' });
    }
  };
  await ask(guess(1));
  await ask(used.link.token);
  await ask(replaced.link.token);
  await service.accounts.disable(email);
  await ask(open.link.token);
  await service.accounts.enable(email);
  expect((await post('/auth/link', { token: open.link.token })).status).toBe(200);
  clock.advance(7 * 24 * 3_600_000);
  await ask(expired.link.token);
  expect(answers).toHaveLength(10);
  expect(new Set(answers.map((one) => JSON.stringify(one)))).toHaveLength(1);
  expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' });
});

test(`of ${GUESSES} guessed links from one address ${LINKS} are looked for, and no other address is refused`, async () => {
  const { service, account_id, calls, secrets } = await openCounted();
  const link = await service.members.link(firstMemberId(account_id), { account_id });
  secrets.add(link.token);
  const codes: Record<string, number> = {};
  const read = (token: string, address = HERE) =>
    service.readLink({ token }, { address }).then(
      () => 'found',
      (error: { code: string }) => error.code,
    );
  const before = calls.count;
  for (let number = 0; number < GUESSES; number += 1) {
    const code = await read(guess(number));
    codes[code] = (codes[code] ?? 0) + 1;
  }
  expect(codes).toEqual({ not_found: LINKS, rate_limited: GUESSES - LINKS });
  // One write each, which counts; and one read for each that is looked for.
  expect(calls.count - before).toBe(GUESSES + LINKS);
  expect(await read(link.token)).toBe('rate_limited');
  expect(await read(link.token, '203.0.113.8')).toBe('found');
});

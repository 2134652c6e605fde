import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { type Ended, openFolder } from '../support/process.ts';
import { claimsOf } from '../support/signing.ts';

/** An operator signs a passport, and a third party verifies it. The tests build on one another. */
const AGENT = 'did:web:example.com:agents:shopper';
const ISSUER = 'did:web:example.com';
const URL = 'https://id.example.net/api';
const SECRET = 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!';

let folder: string;
let remove: () => void;
let token: string;

const call = (args: readonly string[], input?: string): Promise<Ended> =>
  run(args, {
    cwd: folder,
    env: { AGENT_IDENTITY_SECRET: SECRET },
    ...(input !== undefined && { input }),
  });

beforeAll(async () => {
  ({ folder, remove } = openFolder());
  await call(['account', 'create', 'ada@example.com']);
  const fields = ['--allowed-actions', 'orders.*', '--monetary-limit-per-txn', '5'];
  await call(['passport', 'create', '--domain', 'example.com', '--agent-name', 'shopper', ...fields]);
});

afterAll(() => remove());

describe('passport sign', () => {
  test('prints the token alone', async () => {
    const { code, stdout, stderr } = await call([
      'passport',
      'sign',
      AGENT,
      '--ttl',
      '600',
      '--public-url',
      URL,
    ]);
    expect(code).toBe(0);
    token = stdout.trim();
    expect(stdout).toBe(`${token}\n`);
    expect(stderr).not.toContain(token);
    const { iss, sub, iat, exp } = claimsOf(token) as Record<string, number>;
    expect([iss, sub, (exp ?? 0) - (iat ?? 0)]).toEqual([ISSUER, AGENT, 600]);
    expect(JSON.stringify(claimsOf(token)['status'])).toContain(`"${URL}/status/sl_`);
  });

  test('prints the record with --json', async () => {
    const { stdout } = await call(['passport', 'sign', AGENT, '--json']);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['token', 'kid', 'expires_at']);
  });

  test('refuses a time that is out of range, and an agent that does not exist', async () => {
    const short = await call(['passport', 'sign', AGENT, '--ttl', '59']);
    expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('from 60 to 86400')]);
    const missing = await call(['passport', 'sign', `${AGENT}2`]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is no passport')]);
  });
});

describe('passport check', () => {
  beforeAll(async () => {
    const { stdout } = await call(['signing-key', 'list', '--json']);
    const [{ public_jwk, kid, alg } = { public_jwk: {}, kid: '', alg: '' }] = JSON.parse(stdout).data;
    const keys = [{ ...public_jwk, kid, alg, use: 'sig' }];
    writeFileSync(join(folder, 'jwks.json'), JSON.stringify({ keys }));
  });

  const check = (text: string, issuer: string, input?: string) =>
    call(['passport', 'check', text, '--issuer', issuer, '--offline', 'jwks.json', '--json'], input);

  test('takes the token as an argument and from stdin, and fetches nothing offline', async () => {
    for (const ended of [await check(token, ISSUER), await check('-', ISSUER, `${token}\n`)]) {
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(ended.stdout)).toMatchObject({ agent_id: AGENT, issuer: ISSUER, version: 1 });
    }
  });

  test('refuses another issuer, a changed token, and what is not a token, without showing it', async () => {
    const changed = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBA' : 'AAA'}`;
    for (const [text, issuer, problem] of [
      [token, 'did:web:example.org', 'issuers that are trusted'],
      [changed, ISSUER, 'signature'],
      ['abc', ISSUER, 'compact JWS'],
    ] as const) {
      const { code, stdout, stderr } = await check(text, issuer);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(problem)]);
      if (text !== 'abc') expect(stderr).not.toContain(text.slice(-20));
    }
  });

  test('needs an issuer, and one that is a DID of a domain', async () => {
    expect((await call(['passport', 'check', token])).code).toBe(2);
    expect((await check(token, 'example.com')).code).toBe(2);
  });

  test('with --status the status list is asked for, and there is none', async () => {
    const ended = await call([
      'passport',
      'check',
      token,
      '--issuer',
      ISSUER,
      '--offline',
      'jwks.json',
      '--status',
    ]);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('status could not be read')]);
  });
});

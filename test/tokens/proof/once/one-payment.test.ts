/** One permit at three processes of a resource that share a Redis: the resource pays once. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { generateAgentKey } from '../../../../src/tokens/proof/index.ts';
import { readPage } from '../../../readme/pages.ts';
import { connectClient, hasRedis } from '../../../storage/redis-server.ts';
import { kill, startVictim } from '../../../support/kills.ts';
import { startRedis } from '../../../support/private-servers.mjs';
import { issuePermit, PERMITS } from '../permits.ts';

const PROCESSES = 3;
const USES = 1_000;
const RESOURCE = fileURLToPath(new URL('resource.mjs', import.meta.url));

const newId = () => `dec_${randomBytes(13).toString('hex')}`;

/** A resource of several processes, and what is issued for it. */
async function openResource() {
  const redis = await startRedis();
  onTestFinished(() => redis.remove());
  const client = await connectClient(redis.url);
  onTestFinished(() => client.destroy());
  const { private_jwk, public_jwk } = await generateAgentKey();
  const { issuers, audience } = PERMITS;
  const start = async (more: object = {}) => {
    const given = { issuers, audience, keys: [public_jwk], url: redis.url, ...more };
    const victim = await startVictim(RESOURCE, [JSON.stringify(given)]);
    onTestFinished(() => void victim.child.kill('SIGKILL'));
    return { victim, origin: victim.stdout().trim() };
  };
  /** Signs a permit that is valid now. */
  const issue = (jti = newId()) => {
    const iat = Math.floor(Date.now() / 1_000);
    return issuePermit(private_jwk, { iat, exp: iat + 60, jti });
  };
  const paid = async () => Number((await client.sendCommand(['GET', 'paid'])) ?? 0);
  const used = async () => ((await client.sendCommand(['KEYS', 'permit:*'])) as readonly string[]).length;
  return { redis, client, start, issue, paid, used };
}

/** Asks a process to pay; `paid`, or the problem. */
async function pay(origin: string, token: string, action: object = PERMITS.deed): Promise<string> {
  const headers = { 'content-type': 'application/json', 'agent-permit': token };
  const answer = await fetch(`${origin}/pay`, { method: 'POST', headers, body: JSON.stringify(action) });
  const { problem, paid } = (await answer.json()) as { problem?: string; paid?: boolean };
  expect(answer.status).toBe(paid === true ? 200 : 401);
  return problem ?? 'paid';
}

/** How often each of these was answered. */
function counted(answers: readonly string[]): Readonly<Record<string, number>> {
  const found = new Map<string, number>();
  for (const answer of answers) found.set(answer, (found.get(answer) ?? 0) + 1);
  return Object.fromEntries(found);
}

test('the resource notes uses as the README shows it', () => {
  const once = /^const once = [\s\S]*?^};$/m.exec(readFileSync(RESOURCE, 'utf8'))?.[0];
  expect(readPage('src/tokens/proof/README.md')).toContain(once ?? 'a function');
});

describe.runIf(await hasRedis())('three processes with one Redis', () => {
  test(`pays once for ${USES} concurrent uses of one permit`, { timeout: 120_000 }, async () => {
    const { start, issue, paid, used } = await openResource();
    const resources = await Promise.all(Array.from({ length: PROCESSES }, () => start()));
    const token = await issue();
    const uses = Array.from({ length: USES }, (_, index) =>
      pay(resources[index % PROCESSES]?.origin ?? '', token),
    );
    expect(counted(await Promise.all(uses))).toEqual({ paid: 1, used: USES - 1 });
    expect([await paid(), await used()]).toEqual([1, 1]);
    // A permit that was issued again, with the same id, is the same permit.
    const again = await issue(JSON.parse(atob(token.split('.')[1] ?? '')).jti);
    for (const { origin } of resources) expect(await pay(origin, again)).toBe('used');
    expect(await paid()).toBe(1);
  });

  test('notes no use of a permit whose token or action fails another check', {
    timeout: 60_000,
  }, async () => {
    const { start, issue, used, paid } = await openResource();
    const { origin } = await start();
    const token = await issue();
    for (const vector of PERMITS.invalid) {
      if (vector.deed !== undefined || vector.environment !== undefined || vector.problem === 'used')
        continue;
      expect(await pay(origin, vector.token.slice(0, 8_000)), vector.name).not.toBe('paid');
    }
    expect(await pay(origin, token, { ...PERMITS.deed, amount: '129.91' })).toBe('deed');
    expect(await used()).toBe(0);
    expect(await pay(origin, token)).toBe('paid');
    expect([await used(), await paid()]).toEqual([1, 1]);
  });

  test('uses up the permit if a process dies before it acts, and no other process acts', {
    timeout: 60_000,
  }, async () => {
    const { start, issue, paid } = await openResource();
    const [first, second] = await Promise.all([start({ stalls: true }), start()]);
    const token = await issue();
    const lost = pay(first?.origin ?? '', token).catch(() => 'lost');
    await expect.poll(() => first?.victim.stdout()).toContain('stalled');
    await kill(first.victim);
    expect(await lost).toBe('lost');
    expect(await pay(second?.origin ?? '', token)).toBe('used');
    expect(await paid()).toBe(0);
  });

  test('notes no use and does not pay while Redis does not answer, and keeps the uses that it noted', {
    timeout: 60_000,
  }, async () => {
    const { redis, start, issue, paid } = await openResource();
    const { origin } = await start();
    const [token, later] = [await issue(), await issue()];
    expect(await pay(origin, token)).toBe('paid');
    await redis.kill();
    await expect.poll(() => pay(origin, later)).toBe('used');
    await redis.restart();
    await expect.poll(() => pay(origin, later), { timeout: 60_000 }).toBe('paid');
    expect(await pay(origin, token)).toBe('used');
    await expect.poll(() => paid().catch(() => 0), { timeout: 60_000 }).toBe(2);
  });
});

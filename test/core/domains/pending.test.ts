import { describe, expect, test } from 'vitest';
import type { DomainClaim } from '../../../src/types.ts';
import { stores } from '../../support/stores.ts';
import { DAY, HOST, input, openDomains } from './internet.ts';

const MAX = 100;
const FULL = { code: 'plan_limit_reached' };
const names = (count: number) => Array.from({ length: count }, (_, at) => `d${at}.example`);

describe.each(stores)('domains that wait for their proof, on %s', (_, open) => {
  async function stage() {
    // On a slow machine the last of these writes waits for longer than a request may.
    const opened = await openDomains({ storage: await open(), storageDeadlineMs: 30_000 });
    const { service, ann } = opened;
    const claim = (domain: string) => service.domains.claim(domain, ann);
    async function fill(): Promise<void> {
      for (const domain of names(MAX)) await claim(domain);
      await expect(claim(HOST)).rejects.toMatchObject(FULL);
    }
    return { ...opened, claim, fill };
  }

  test('are at most 100 of an account, however many ask at once', async () => {
    const { service, ann, bob, claim } = await stage();
    const asked = await Promise.allSettled([...names(MAX + 20), ...names(MAX + 20)].map(claim));
    const made = asked.filter(
      ({ status }) => status === 'fulfilled',
    ) as PromiseFulfilledResult<DomainClaim>[];
    for (const { status, ...rest } of asked)
      if (status === 'rejected') expect(rest).toMatchObject({ reason: FULL });
    expect(new Set(made.map(({ value }) => value.domain)).size).toBe(MAX);
    const pages = [await service.domains.list({ limit: 100 }, ann)];
    expect(pages[0]).toMatchObject({ has_more: false });
    expect(pages[0]?.data).toHaveLength(MAX);
    // The one that is there is answered, and so is another account.
    expect((await claim(made[0]?.value.domain ?? '')).token).toBe(made[0]?.value.token);
    expect((await service.domains.claim(HOST, bob)).status).toBe('pending');
  });

  test('make room when one is proven, given up, or becomes a claim by a passport', async () => {
    const { service, ann, publish, claim, fill } = await stage();
    publish(await claim(HOST));
    for (const domain of names(MAX - 1)) await claim(domain);
    await expect(claim('more.example')).rejects.toMatchObject(FULL);
    await service.domains.check(HOST, ann);
    await claim('more.example');
    await expect(claim('most.example')).rejects.toMatchObject(FULL);
    await service.domains.release('d0.example', ann);
    await claim('most.example');
    await expect(claim('d0.example')).rejects.toMatchObject(FULL);
    await service.passports.create({ ...input, domain: 'd1.example' }, ann);
    await claim('d0.example');
    await expect(claim('last.example')).rejects.toMatchObject(FULL);
    // What is no longer pending makes no more room when it goes.
    await service.domains.release(HOST, ann);
    await expect(fill()).rejects.toMatchObject(FULL);
  });

  test('make room when their tokens have ended', async () => {
    const { service, ann, clock, claim, fill } = await stage();
    await fill();
    clock.advance(6 * DAY);
    await service.domains.release('d0.example', ann);
    await claim('young.example');
    clock.advance(DAY);
    await claim(HOST);
    const { data } = await service.domains.list({ limit: 100 }, ann);
    expect(data.map(({ domain }) => domain).sort()).toEqual([HOST, 'young.example'].sort());
    for (const domain of names(MAX - 2)) await claim(domain);
    await expect(claim('more.example')).rejects.toMatchObject(FULL);
  });
});

test('a passport that has to prove its domain first is no way around the number', async () => {
  const { service, ann } = await openDomains({ domainProof: 'required' });
  for (const domain of names(MAX)) {
    const refused = service.passports.create({ ...input, domain }, ann);
    await expect(refused).rejects.toMatchObject({ code: 'domain_unproven' });
  }
  await expect(service.passports.create(input, ann)).rejects.toMatchObject(FULL);
  expect((await service.domains.list({ limit: 100 }, ann)).data).toHaveLength(MAX);
});

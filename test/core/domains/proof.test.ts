import { describe, expect, test } from 'vitest';
import { didHandler } from '../../../src/identity/index.ts';
import { DAY, GLOBAL, HOST, input, openDomains as open, PAGE } from './internet.ts';

describe('a claim', () => {
  test('has a token and where to publish it, the same until it ends', async () => {
    const { service, clock, ann } = await open();
    const claim = await service.domains.claim(HOST, ann);
    expect(claim).toEqual({
      domain: HOST,
      account_id: ann.account_id,
      status: 'pending',
      method: null,
      proven_at: null,
      checked_at: null,
      token: expect.stringMatching(/^aid-[0-9A-Za-z]{43}$/),
      dns: { name: `_agent-identity.${HOST}`, value: `agent-identity=${claim.token}` },
      https: { url: `https://${HOST}${PAGE}`, body: claim.token },
      expires_at: clock.instant(7 * DAY),
      created_at: clock.instant(),
      changed_at: null,
      changed_by: null,
    });
    clock.advance(7 * DAY - 1);
    expect((await service.domains.claim(HOST, ann)).token).toBe(claim.token);
    clock.advance(1);
    await expect(service.domains.check(HOST, ann)).rejects.toMatchObject({ code: 'conflict' });
    expect((await service.domains.claim(HOST, ann)).token).not.toBe(claim.token);
  });

  test('of a port, an address or no domain is refused', async () => {
    const { service, ann } = await open();
    for (const domain of [
      `${HOST}%3A8443`,
      `${HOST}:8443`,
      '127.0.0.1',
      'localhost',
      'Shop.example',
      '',
      1,
      null,
    ]) {
      await expect(service.domains.claim(domain as string, ann)).rejects.toMatchObject({
        code: 'invalid_request',
      });
    }
  });

  test('that was made by issuing gets a token, and keeps it when the first passport is issued later', async () => {
    const { service, ann, bob } = await open();
    await service.passports.create(input, ann);
    expect((await service.domains.list({}, { account_id: ann.account_id })).data).toMatchObject([
      { status: 'claimed' },
    ]);
    expect(await service.domains.claimNow(HOST, ann)).toMatchObject({
      isNew: false,
      claim: { status: 'pending' },
    });
    const { token } = await service.domains.claim('other.example', bob);
    await service.passports.create({ ...input, domain: 'other.example' }, bob);
    expect((await service.domains.list({}, { account_id: bob.account_id })).data).toMatchObject([
      { domain: 'other.example', status: 'pending', token },
    ]);
  });
});

describe('a domain is proven', () => {
  test('by a TXT record', async () => {
    const { service, clock, ann, publish, trail } = await open();
    const claim = await service.domains.claim(HOST, ann);
    await expect(service.domains.check(HOST, ann)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The token was not seen. DNS: not found. HTTPS: no answer.',
    });
    publish(claim);
    const proven = await service.domains.check(HOST, ann);
    const now = clock.instant();
    expect(proven).toMatchObject({
      status: 'proven',
      method: 'dns',
      proven_at: now,
      checked_at: now,
      expires_at: null,
    });
    expect(trail.map(({ event }) => event)).toContain('domain.proven');
  });

  test('by a page, which a router of its account serves without a hand', async () => {
    const { service, ann, bob, pages } = await open();
    const { token = '' } = await service.domains.claim(HOST, ann);
    const ask = async (options: object) =>
      (await didHandler(service, options)(new Request(`https://${HOST}${PAGE}`)))?.text();
    expect(await ask({})).toBeUndefined();
    expect(await ask(bob)).not.toBe(token);
    const page = (await ask(ann)) ?? '';
    expect(page).toBe(token);
    pages.set(PAGE, `${page}\n`);
    expect(await service.domains.check(HOST, ann)).toMatchObject({ status: 'proven', method: 'https' });
  });

  test.each([
    ['another token', (token: string) => token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))],
    ['a page with more', (token: string) => `<html>${token}</html>`],
    ['a page that is too long', (token: string) => token + ' '.repeat(5_000)],
    ['an empty page', () => ''],
  ])('by nothing else: %s', async (_, page) => {
    const { service, ann, dns, pages } = await open();
    const { token = '' } = await service.domains.claim(HOST, ann);
    pages.set(PAGE, page(token));
    dns.set(`_agent-identity.${HOST}`, { txt: [token, `agent-identity=${page(token)}`.slice(0, 900)] });
    dns.set(`_agent-identity.example`, { txt: [`agent-identity=${token}`] });
    const error = await service.domains.check(HOST, ann).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'conflict' });
    expect(`${error}`).not.toContain(token);
  });

  test('not by a host that leads into the network of the service: no connection', async () => {
    const { service, ann, dns, web } = await open();
    const { token = '' } = await service.domains.claim(HOST, ann);
    for (const records of [
      { a: ['127.0.0.1'] },
      { a: [GLOBAL, '10.0.0.1'] },
      { a: [GLOBAL], aaaa: ['fd00::1'] },
    ]) {
      dns.set(HOST, records);
      await expect(service.domains.check(HOST, ann)).rejects.toThrow(/HTTPS: no answer/);
    }
    // Rebinding: what is looked up next is not what was checked.
    let looked = 0;
    dns.set(HOST, () => ({ a: [looked++ === 0 ? GLOBAL : '127.0.0.1'] }));
    await expect(service.domains.check(HOST, ann)).rejects.toThrow(/HTTPS: /);
    expect(web.dialled.filter((address) => !address.startsWith(GLOBAL))).toEqual([]);
    expect(token).not.toBe('');
  });
});

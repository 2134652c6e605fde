import { describe, expect, test } from 'vitest';
import { didHandler } from '../../../src/identity/index.ts';
import type { DnsServer } from '../../support/dns-server.ts';
import { HOUR, openService } from '../../support/service.ts';
import { HOST, input, openDomains as open } from './internet.ts';

describe('two accounts and one domain', () => {
  test('the one that proves it has it, and the passports of the other do not resolve', async () => {
    const { service, clock, ann, bob, publish, trail } = await open();
    const { agent_id } = await service.passports.create(input, ann);
    const resolve = async () => {
      const asked = new Request(`https://${HOST}/agents/${agent_id.split(':').at(-1)}/did.json`);
      return (await didHandler(service)(asked))?.status;
    };
    expect(await resolve()).toBe(200);
    await expect(service.passports.create({ ...input, agent_name: 'b' }, bob)).rejects.toMatchObject({
      code: 'domain_claimed',
    });
    publish(await service.domains.claim(HOST, bob));
    expect(await service.domains.check(HOST, bob)).toMatchObject({
      account_id: bob.account_id,
      status: 'proven',
    });
    clock.advance(1_000);
    expect(await resolve()).toBe(404);
    expect(trail.find(({ event }) => event === 'domain.claim_ended')).toMatchObject({
      account_id: ann.account_id,
      to_account_id: bob.account_id,
    });
    // The passport lives on for verdicts of its account; new ones are those of the other.
    expect((await service.passports.get(agent_id, ann)).status).toBe('active');
    await service.passports.create({ ...input, agent_name: 'b' }, bob);
    for (const refused of [
      service.domains.claim(HOST, ann),
      service.domains.check(HOST, ann),
      service.passports.create({ ...input, agent_name: 'c' }, ann),
    ]) {
      await expect(refused).rejects.toMatchObject({
        code: expect.stringMatching(/domain_claimed|not_found/),
      });
    }
  });

  test('the token of one proves nothing for the other', async () => {
    const { service, ann, bob, publish } = await open();
    publish(await service.domains.claim(HOST, ann));
    await service.domains.claim(HOST, bob);
    await expect(service.domains.check(HOST, bob)).rejects.toMatchObject({ code: 'conflict' });
    await service.domains.check(HOST, ann);
    await expect(service.domains.check(HOST, bob)).rejects.toMatchObject({ code: 'domain_claimed' });
  });

  test('an operator moves a proven domain, and the new account proves it itself', async () => {
    const { service, ann, bob, publish } = await open();
    publish(await service.domains.claim(HOST, ann));
    await service.domains.check(HOST, ann);
    expect(await service.domains.transfer(HOST, bob)).toMatchObject({
      ...bob,
      status: 'claimed',
      proven_at: null,
    });
    const claim = await service.domains.claim(HOST, bob);
    expect(claim.status).toBe('pending');
    publish(claim);
    expect(await service.domains.check(HOST, bob)).toMatchObject({ ...bob, status: 'proven' });
  });

  test('of many that check at once, each once, exactly one has it', async () => {
    const { service, ann, bob, dns } = await open();
    const claims = [await service.domains.claim(HOST, ann), await service.domains.claim(HOST, bob)];
    dns.set(`_agent-identity.${HOST}`, { txt: claims.map((claim) => claim.dns?.value ?? '') });
    const results = await Promise.allSettled(
      [ann, bob, ann, bob].map((who) => service.domains.check(HOST, who)),
    );
    const owners = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.account_id] : []));
    expect(new Set(owners).size).toBe(1);
    const { data } = await service.domains.list();
    expect(data.filter(({ status }) => status === 'proven')).toHaveLength(1);
  });
});

describe('a proof that is not seen any more', () => {
  test('lapses after three days; passports live on, no new one is issued, and it returns', async () => {
    const { service, timers, clock, ann, bob, dns, publish, trail } = await open();
    const claim = await service.domains.claim(HOST, ann);
    publish(claim);
    await service.domains.check(HOST, ann);
    const { agent_id } = await service.passports.create(input, ann);
    const status = async () => (await service.domains.list({}, ann)).data[0]?.status;
    const days = async (count: number) => {
      for (let hour = 0; hour < count * 24; hour += 1) {
        clock.advance(HOUR);
        const before = dns.asked.length;
        timers.skip(0);
        // A look takes as long as its servers do; the next hour begins when it is over.
        await expect.poll(() => settled(dns, before)).toBe(true);
      }
    };
    await days(2);
    expect(await status()).toBe('proven');
    dns.set(claim.dns?.name ?? '', {});
    await days(2);
    expect(await status()).toBe('proven');
    await days(2);
    expect(await status()).toBe('lapsed');
    expect(trail.filter(({ event }) => event === 'domain.lapsed')).toHaveLength(1);
    expect((await service.passports.get(agent_id, ann)).status).toBe('active');
    await expect(service.passports.create({ ...input, agent_name: 'b' }, ann)).rejects.toMatchObject({
      code: 'domain_unproven',
      details: { token: claim.token },
    });
    await expect(service.domains.claim(HOST, bob)).rejects.toMatchObject({ code: 'domain_claimed' });
    publish(claim);
    expect(await service.domains.check(HOST, ann)).toMatchObject({
      status: 'proven',
      proven_at: claim.created_at,
    });
    await service.passports.create({ ...input, agent_name: 'b' }, ann);
  }, 240_000);
});

/** Whether no question has come for a moment. */
async function settled({ asked }: DnsServer, _before: number): Promise<boolean> {
  const count = asked.length;
  await new Promise((resolve) => setTimeout(resolve, 5));
  return asked.length === count;
}

describe('where proof is required', () => {
  test('the first passport waits for it, and the refusal says what to publish', async () => {
    const { service, ann, publish } = await open({ domainProof: 'required' });
    const error = await service.passports.create(input, ann).catch((thrown: unknown) => thrown);
    const claim = await service.domains.claim(HOST, ann);
    expect(error).toMatchObject({
      code: 'domain_unproven',
      message: expect.stringContaining(`${claim.token}`),
      details: { token: claim.token, dns: claim.dns, https: claim.https },
    });
    const ask = async () =>
      (await didHandler(service)(new Request(`https://${HOST}/.well-known/did.json`)))?.status;
    expect(await ask()).toBe(404);
    publish(claim);
    await service.domains.check(HOST, ann);
    expect((await service.passports.create(input, ann)).domain).toBe(HOST);
  });

  test('this machine needs none, at any port', async () => {
    const { service, ann } = await open({ domainProof: 'required', allowLocalhost: true });
    for (const domain of ['localhost', 'localhost%3A3000']) {
      await service.passports.create({ ...input, domain }, ann);
      const url = `https://${domain.replace('%3A', ':')}/.well-known/did.json`;
      expect((await didHandler(service)(new Request(url)))?.status, url).toBe(200);
    }
  });

  test('a service without a way to look does not start', () => {
    expect(() => openService({ domainProof: 'required' })).toThrow(/domainProver/);
  });
});

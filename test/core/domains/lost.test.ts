/** What an account has signed for a domain that it has lost is revoked in its status list. */
import { describe, expect, test } from 'vitest';
import type { WholeService } from '../../../src/capabilities.ts';
import { verifyPassport } from '../../../src/tokens/proof/index.ts';
import { readStatusListClaim } from '../../../src/tokens/signing/status-list.ts';
import { MINUTE, PUBLIC_URL } from '../../support/service.ts';
import { claimsOf } from '../../support/signing.ts';
import { type DomainStage, HOST, input, openDomains } from './internet.ts';

const OTHER = 'other.example';

interface Signed {
  readonly agent_id: string;
  readonly token: string;
}

async function prove({ service, publish }: DomainStage, domain: string, who: object): Promise<void> {
  publish(await service.domains.claim(domain, who));
  await service.domains.check(domain, who);
}

async function sign(service: WholeService, domain: string, who: object): Promise<Signed> {
  const { agent_id } = await service.passports.create({ ...input, domain }, who);
  return { agent_id, token: (await service.passports.sign(agent_id, {}, who)).token };
}

/** The status that the list of the service has for the token now. */
async function statusOf(service: WholeService, { token }: Signed): Promise<number | undefined> {
  const { idx, uri } = (claimsOf(token)['status'] as { status_list: { idx: number; uri: string } })
    .status_list;
  const list = await service.signing.statusList(uri.slice(`${PUBLIC_URL}/status/`.length));
  return (await readStatusListClaim(claimsOf(list.token)['status_list']))?.at(idx);
}

/** Ann has proved two domains, and has signed for a port of one, for the one itself, and for the other. */
async function openSigned() {
  const stage = await openDomains();
  const { service, clock, ann } = stage;
  await prove(stage, HOST, ann);
  await prove(stage, OTHER, ann);
  const signed = {
    here: await sign(service, HOST, ann),
    port: await sign(service, `${HOST}%3A8443`, ann),
    there: await sign(service, OTHER, ann),
  };
  const statuses = async () => {
    clock.advance(MINUTE);
    return {
      here: await statusOf(service, signed.here),
      port: await statusOf(service, signed.port),
      there: await statusOf(service, signed.there),
    };
  };
  return { ...stage, signed, statuses };
}

const VALID = { here: 0, port: 0, there: 0 };
const LOST = { here: 1, port: 1, there: 0 };

describe('what was signed for a domain', () => {
  test('is revoked when an operator gives the domain to another account, and counts again when it is back', async () => {
    const { service, ann, bob, signed, statuses } = await openSigned();
    expect(await statuses()).toEqual(VALID);
    await service.domains.transfer(HOST, bob);
    expect(await statuses()).toEqual(LOST);
    // From memory.
    expect(await statuses()).toEqual(LOST);
    const { data } = await service.domains.list({}, ann);
    expect(Object.fromEntries(data.map(({ domain, status }) => [domain, status]))).toEqual({
      [HOST]: 'lost',
      [OTHER]: 'proven',
    });
    await service.domains.transfer(HOST, ann);
    expect(await statuses()).toEqual(VALID);
    expect((await service.domains.list({}, bob)).data).toMatchObject([{ domain: HOST, status: 'lost' }]);
    await service.domains.transfer(HOST, bob);
    expect(await statuses()).toEqual(LOST);
    // Bob has a passport of his own for it, which is not that of Ann.
    await service.passports.create({ ...input, agent_name: 'b' }, bob);
    expect(signed.here.agent_id).toContain(HOST);
  });

  test('is revoked when an operator releases the domain by force, until the account has it again', async () => {
    const { service, ann, bob, statuses } = await openSigned();
    await service.domains.release(HOST, { force: true });
    expect(await statuses()).toEqual(LOST);
    await expect(service.domains.release(HOST, ann)).rejects.toMatchObject({ code: 'conflict' });
    await service.domains.claim(HOST, ann);
    expect(await statuses()).toEqual(LOST);
    await service.passports.create({ ...input, agent_name: 'again' }, ann);
    expect(await statuses()).toEqual(VALID);
    await expect(service.passports.create({ ...input, agent_name: 'b' }, bob)).rejects.toMatchObject({
      code: 'domain_claimed',
    });
  });

  test('is refused by third parties after another account has proved the domain', async () => {
    const stage = await openDomains();
    const { service, clock, ann, bob } = stage;
    await prove(stage, HOST, ann);
    const signed = await sign(service, HOST, ann);
    // From here on it is a claim without a proof, as that of the only account of a service is.
    await service.domains.transfer(HOST, ann);
    expect(await statusOf(service, signed)).toBe(0);
    await prove(stage, HOST, bob);
    clock.advance(MINUTE);
    const keys = await service.signing.jwks();
    const fetch = async (): Promise<Response> => {
      const { uri } = (claimsOf(signed.token)['status'] as { status_list: { uri: string } }).status_list;
      return new Response(
        (await service.signing.statusList(uri.slice(`${PUBLIC_URL}/status/`.length))).token,
      );
    };
    const check = verifyPassport(signed.token, {
      ...{ issuers: [`did:web:${HOST}`], keys, fetch, at: clock.now() },
    });
    await expect(check).rejects.toMatchObject({ code: 'invalid_token', details: { problem: 'revoked' } });
    await expect(service.passports.sign(signed.agent_id, {}, ann)).rejects.toMatchObject({
      code: 'domain_unproven',
    });
  });
});

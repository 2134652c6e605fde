import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import { fetchHandler } from '../../../src/http/index.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import { SECRET } from '../../support/service.ts';
import { issue, openWebhooks, type Received, type WebhookStage } from './stage.ts';

const identity = { secret: SECRET, publicUrl: 'https://id.example.net/api' };

/** The signatures of the next request, by their version. */
async function nextSignatures(stage: WebhookStage, name: string) {
  const before = stage.received.length;
  await issue(stage, name);
  await stage.arrived(before + 1);
  const got = stage.received.at(-1) as Received;
  const all = String(got.headers['webhook-signature']).split(' ');
  return {
    got,
    versions: all.map((one) => one.split(',')[0]),
    v1a: all.find((one) => one.startsWith('v1a,')),
  };
}

/** As a receiver without the secret does it: with the published keys alone. */
async function isTaken(service: IdentityService, { headers, body }: Received, v1a = ''): Promise<boolean> {
  const answer = await fetchHandler(service)(new Request(`${identity.publicUrl}/jwks.json`));
  const { keys } = (await answer.json()) as { readonly keys: readonly JsonWebKey[] };
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signature = Buffer.from(v1a.slice('v1a,'.length), 'base64');
  return keys
    .filter(({ crv }) => crv === 'Ed25519')
    .some((key) => verify(null, content, createPublicKey({ key, format: 'jwk' }), signature));
}

test('a service with signing keys signs with v1 and v1a: each can be verified alone, also after a rotation', async () => {
  const stage = await openWebhooks({ identity });
  const { service, create, secrets } = stage;
  const { secret } = await create(['passport.created']);
  secrets.add(secret);
  for (const name of ['before', 'after']) {
    const { got, versions, v1a } = await nextSignatures(stage, name);
    expect(versions).toEqual(['v1', 'v1a']);
    expect(await isTaken(service, got, v1a)).toBe(true);
    expect(await isTaken(service, { ...got, body: `${got.body} ` }, v1a)).toBe(false);
    const later = { ...got.headers, 'webhook-timestamp': `${Number(got.headers['webhook-timestamp']) + 1}` };
    expect(await isTaken(service, { ...got, headers: later }, v1a)).toBe(false);
    new Webhook(secret).verify(got.body, got.headers as Record<string, string>);
    await service.signing.rotate({ now: true });
  }
});

test('a service with keys of ES256, or without keys, signs with v1 alone', async () => {
  for (const options of [{ ...identity, alg: 'ES256' as const }, undefined]) {
    const stage = await openWebhooks({ identity: options as NonNullable<typeof options> });
    await stage.create(['passport.created']);
    expect((await nextSignatures(stage, 'a')).versions).toEqual(['v1']);
  }
});

test('while a signer outside fails, webhooks are sent with v1 alone, and the log says so once', async () => {
  let isDown = true;
  const signer: Signer = {
    sign: async () => expect.fail('It has no key.'),
    keys: async () => {
      if (isDown) throw new Error('The key service is away.');
      return [];
    },
  };
  const stage = await openWebhooks({
    identity: { signer, publicUrl: identity.publicUrl },
  });
  const lines = () => stage.logs.filter(({ event }) => event === 'webhooks_unsigned');
  await stage.create(['passport.created']);
  for (const name of ['a', 'b']) expect((await nextSignatures(stage, name)).versions).toEqual(['v1']);
  expect(lines()).toHaveLength(1);
  isDown = false;
  await nextSignatures(stage, 'c');
  isDown = true;
  await nextSignatures(stage, 'd');
  expect(lines()).toHaveLength(2);
});

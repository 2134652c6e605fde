import type { PublicSigningKey, Signer } from '../../../src/types.ts';
import { type DidStage, openDidStage, PASSPORT, PUBLIC_URL } from './stage.ts';
import type { Vector } from './vectors.ts';

const DAY_MS = 86_400_000;

/** A service whose domains and agents are as the vector says. */
export async function openVector({ input, did }: Vector): Promise<DidStage> {
  const { domain, agent_name, state, keys } = input;
  const published: readonly PublicSigningKey[] =
    agent_name === null ? keys.map(({ kid, alg, ...public_jwk }) => toSigningKey(kid, alg, public_jwk)) : [];
  const signer: Signer = {
    keys: async () => published,
    sign: async () => {
      throw new TypeError('No document is signed.');
    },
  };
  const stage = openDidStage({ identity: { signer, publicUrl: PUBLIC_URL } });
  const { service, clock } = stage;
  const actor = { account_id: await stage.account('ann@example.com') };
  await service.passports.create(
    {
      domain,
      agent_name: agent_name ?? 'other',
      ...PASSPORT,
      ...(agent_name !== null && { public_keys: keys }),
      ...(state === 'not_yet_valid' && { not_before: clock.instant(DAY_MS) }),
      ...(state === 'expired' && { expires_at: clock.instant(1_000) }),
    },
    actor,
  );
  if (state === 'expired') clock.advance(1_000);
  if (state === 'suspended') await service.suspend({ agent_id: did }, actor);
  if (state === 'revoked') await service.revoke({ agent_id: did }, actor);
  return stage;
}

function toSigningKey(kid: string, alg: PublicSigningKey['alg'], jwk: object): PublicSigningKey {
  const public_jwk = jwk as PublicSigningKey['public_jwk'];
  return {
    kid,
    purpose: 'passport',
    alg,
    public_jwk,
    not_before: '2026-01-01T00:00:00.000Z',
    retire_at: null,
  };
}

/** An agent with its own keys, and a service that knows them. */

import type { IdentityService } from '../../src/core.ts';
import type { Passport, PassportInput, VerdictRecord } from '../../src/index.ts';
import { generateAgentKey } from '../../src/tokens/proof/index.ts';
import {
  createIntentSigner,
  type GivenClaims,
  type SignedIntent,
} from '../../src/tokens/proof/sign-intent.ts';

export const AUDIENCE = 'https://id.example.com/api';
export const TARGET = 'did:web:shop.example';
export const PAYMENT: SignedIntent & {
  readonly target: string;
  readonly parameters: Record<string, unknown>;
} = {
  action: 'payments.create',
  target: TARGET,
  parameters: { amount: '19.99', currency: 'EUR', note: 'größe' },
};

/** The option of a service that takes proofs. */
export const PROVING: { readonly proofAudiences: readonly string[] } = { proofAudiences: [AUDIENCE] };

/** The private keys of all tests of a process: no log and no answer may hold one. */
export const ED25519: Awaited<ReturnType<typeof generateAgentKey>> = await generateAgentKey();
export const P256: Awaited<ReturnType<typeof generateAgentKey>> = await generateAgentKey('ES256');

/** The fields of the passport of an agent whose intents have to be signed. */
export const SHOPPER: PassportInput = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create', 'orders.*'],
  monetary_limit_per_txn: 100,
  currency: 'EUR',
  public_keys: [ED25519.public_jwk, P256.public_jwk],
  proof: 'intent',
};

/** An agent that signs. */
export interface Prover {
  readonly agent_id: string;
  /** A proof of the intent at the time of the clock. */
  sign(intent?: SignedIntent, given?: GivenClaims): Promise<string>;
  /** The verdict on the intent with a new proof. */
  prove(intent?: SignedIntent): Promise<VerdictRecord>;
}

/** Issues the passport and signs with its first key. */
export async function openProver(
  service: IdentityService,
  clock: { now(): number },
  changed: Partial<PassportInput> = {},
): Promise<Prover> {
  const { agent_id }: Passport = await service.passports.create({ ...SHOPPER, ...changed });
  return proverOf(service, clock, agent_id);
}

/** Signs for an agent whose passport is there. */
function proverOf(
  service: Pick<IdentityService, 'verify'>,
  clock: { now(): number },
  agent_id: string,
): Prover {
  const signer = createIntentSigner({
    key: ED25519.private_jwk,
    agent_id,
    audience: AUDIENCE,
    anyTarget: true,
  });
  const sign = (intent: SignedIntent = PAYMENT, given: GivenClaims = {}) =>
    signer.sign(intent, { iat: Math.floor(clock.now() / 1_000), ...given });
  return {
    agent_id,
    sign,
    prove: async (intent = PAYMENT) => service.verify({ ...intent, agent_id, proof: await sign(intent) }),
  };
}

/** The codes of a verdict, with the problem of a proof; `ALLOW` without any. */
export function outcome({ verdict, reasons }: Pick<VerdictRecord, 'verdict' | 'reasons'>): string {
  if (verdict === 'ALLOW') return 'ALLOW';
  return reasons.map(({ code, problem }) => [code, problem].filter(Boolean).join(' ')).join(', ');
}

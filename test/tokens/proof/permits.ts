import { readFileSync } from 'node:fs';
import type { PermitAction, PermitVerifierOptions, PrivateJwk } from '../../../src/tokens/proof/index.ts';
import { privateKeyOf } from '../../../src/tokens/proof/private-key.ts';
import { signCompact } from '../../../src/tokens/signing/sign-compact.ts';

/** One of the vectors. */
export interface PermitVector {
  readonly name: string;
  readonly token: string;
  readonly problem?: string;
  readonly deed?: PermitAction;
  readonly environment?: 'live' | 'test';
  readonly confirmed?: boolean;
  readonly used?: boolean;
}

interface PermitVectors {
  readonly at: string;
  readonly issuers: readonly string[];
  readonly audience: string;
  readonly environment: 'live';
  readonly deed: {
    readonly action: string;
    readonly target: string;
    readonly amount: string;
    readonly currency: string;
  };
  readonly keys: readonly object[];
  readonly valid: readonly PermitVector[];
  readonly invalid: readonly PermitVector[];
}

export const PERMITS: PermitVectors = JSON.parse(
  readFileSync(new URL('../../../src/tokens/proof/vectors/permits.json', import.meta.url), 'utf8'),
);

/** The options of the resource of the vectors, with a memory of its own. */
export function resourceOptions(options: Partial<PermitVerifierOptions> = {}): PermitVerifierOptions {
  const { issuers, audience, keys, at } = PERMITS;
  return { issuers, audience, keys, at: () => Date.parse(at), once: () => true, ...options };
}

/** Signs a permit for the usual action, with these further claims. */
export async function issuePermit(jwk: PrivateJwk, claims: object): Promise<string> {
  const key = privateKeyOf(jwk);
  const header = { alg: key.alg, kid: await key.kid(), typ: 'agent-permit+jwt' };
  const permit = { environment: 'live', ...PERMITS.deed, digest: '0'.repeat(64), passport_version: 1 };
  const [iss] = PERMITS.issuers;
  const named = { iss, sub: `${iss}:agents:shopper`, aud: PERMITS.audience };
  const whole = { ...named, jti: 'dec_5nWq8ZrT2yLkXc0BvH0000s4Ge', permit, ...claims };
  return signCompact(JSON.stringify(header), JSON.stringify(whole), key.sign);
}

/** Authenticates the agent that asks for a token, by an assertion that one of its keys signed. */
import { issuerOf } from '../base/values/access-token.ts';
import { IdentityError } from '../errors.ts';
import { checkDpop, type DpopProof } from '../proof/dpop-proof.ts';
import type { Core } from '../service/capabilities/capability.ts';
import type { PublicPlaces } from '../service/storage/public-places.ts';
import { createPublicReads } from '../service/storage/public-reads.ts';
import type { FoundAgent } from '../service/verification/lineages.ts';
import {
  type CheckedProof,
  createAgentSignatures,
  createProofUses,
} from '../service/verification/proof-check.ts';
import { keyNamed, readAssertion } from './client-assertion.ts';
import type { ReadRequest } from './read-request.ts';
import { invalidClient, refused } from './refused.ts';

/** An agent that has authenticated itself. */
export interface AuthenticatedAgent {
  readonly agent: FoundAgent;
  /** The assertion as a proof that is bound to no intent, and the step that uses it. */
  readonly proof: CheckedProof;
}

/** Authenticates agents. */
export interface AgentAuthentication {
  /** Returns the agent whose key signed the assertion; `invalid_client` otherwise. */
  byAssertion(request: ReadRequest, domain: string): Promise<AuthenticatedAgent>;
  /** Checks a DPoP proof for the token endpoint of the domain; `invalid_dpop_proof` otherwise. */
  byDpop(proof: string, domain: string): Promise<DpopProof>;
}

/** The most signatures that wait for their check on one node. */
const MAX_CHECKS = 64;

/** Makes the authentication of one service. */
export function createAgentAuthentication(
  core: Core,
  { publicUrl, places }: { readonly publicUrl: string; readonly places: PublicPlaces },
): AgentAuthentication {
  const { clock, caches } = core;
  const isSigned = createAgentSignatures();
  const useOf = createProofUses();
  const checks = limitedChecks();
  const passports = createPublicReads(caches.passports, places, caches.monotonic);

  return {
    async byAssertion({ assertion, client_id }, domain) {
      const at = clock.now();
      const issuer = issuerOf(publicUrl, domain);
      const read = readAssertion(assertion, { issuer, domain, client_id, at });
      const found = read && (await passports.get(read.agent_id));
      if (read === undefined || found === undefined) throw invalidClient();
      const key = keyNamed(read, found.prepared.passport.public_keys ?? []);
      if (key === undefined) throw invalidClient();
      const { parts } = read;
      if (!(await checks(() => isSigned({ parts, key })))) throw invalidClient();
      const agent = await core.offered('issue')?.find(read.agent_id);
      // A key that was removed since the first look authenticates nobody.
      const present = keyNamed(read, agent?.found?.prepared.passport.public_keys ?? []);
      if (agent === undefined || present?.kid !== key.kid) throw invalidClient();
      const use = useOf(read, read.agent_id, at);
      return { agent, proof: { fact: { state: 'valid', kid: key.kid, bound: false }, takings: [use] } };
    },

    async byDpop(text, domain) {
      const url = `${issuerOf(publicUrl, domain)}/token`;
      const valid = await checks(() => checkDpop(text, { method: 'POST', url, at: clock.now() }));
      if (valid === undefined) throw refused('invalid_dpop_proof', 'The DPoP proof is not valid.');
      return valid;
    },
  };
}

/** Makes the bound of the checks of signatures: they keep the processor from everything else. */
function limitedChecks(): <Result>(check: () => Promise<Result>) => Promise<Result> {
  let waiting = 0;
  return async (check) => {
    if (waiting >= MAX_CHECKS) {
      const details = { retryAfterSeconds: 1 };
      throw new IdentityError('overloaded', 'Too many signatures wait for their check.', { details });
    }
    waiting += 1;
    try {
      return await check();
    } finally {
      waiting -= 1;
    }
  };
}

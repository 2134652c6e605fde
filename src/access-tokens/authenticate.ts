import { issuerOf, MAX_ACCESS_TOKEN_LENGTH } from '../base/values/access-token.ts';
import { parseAgentId } from '../base/values/agent-id.ts';
import type { Core } from '../core/capabilities/capability.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import { createPublicReads, type PublicPlaces } from '../core/storage/public-reads.ts';
import type { FoundAgent } from '../core/verification/ancestries.ts';
import {
  type CheckedProof,
  createAgentSignatures,
  createProofUses,
} from '../core/verification/proof-check.ts';
import { IdentityError } from '../errors.ts';
import type { SigningAlgorithm } from '../ports/signer.ts';
import type { AgentKey } from '../records/key.ts';
import type { Scope } from '../records.ts';
import { checkDpop, type DpopProof } from '../tokens/proof/dpop-proof.ts';
import { algorithmNamed } from '../tokens/signing/algorithm.ts';
import { type CompactParts, type JsonMembers, openCompact } from '../tokens/signing/compact.ts';
import type { Issue } from './issue.ts';
import { isInTime } from './read-assertion.ts';
import { type AgentCredential, invalidClient, refused } from './read-request.ts';

export interface AuthenticatedAgent {
  readonly agent: FoundAgent;
  /**
   * The assertion in the form of a proof of possession without an intent. It contains the step of the write
   * that marks the assertion as used. Absent if an API key was used.
   */
  readonly proof: CheckedProof | undefined;
}

export type SignedAssertion = Extract<AgentCredential, { readonly assertion: string }>;

export interface AgentAuthentication {
  /** Returns the agent whose key signed the assertion; otherwise throws `invalid_client`. */
  byAssertion(credential: SignedAssertion, domain: string): Promise<AuthenticatedAgent>;
  /** Checks a DPoP proof for the token endpoint of the domain; throws `invalid_dpop_proof` for an invalid proof. */
  byDpop(proof: string, domain: string): Promise<DpopProof>;
}

const MAX_CHECKS = 64;

export function createAgentAuthentication(
  core: Pick<Core, 'caches' | 'clock'>,
  {
    publicUrl,
    places,
    checks,
    issue,
  }: {
    readonly publicUrl: string;
    readonly places: PublicPlaces;
    readonly checks: SignatureChecks;
    readonly issue: Pick<Issue, 'find'>;
  },
): AgentAuthentication {
  const { clock, caches } = core;
  const isSigned = createAgentSignatures();
  const useOf = createProofUses();
  const passports = createPublicReads(caches.passports, places, caches.monotonic);

  return {
    async byAssertion({ assertion, client_id }, domain) {
      const time = clock.now();
      const issuer = issuerOf(publicUrl, domain);
      const read = readClientAssertion(assertion, { issuer, domain, client_id, at: time });
      const passport = read && (await passports.get(read.agent_id));
      if (read === undefined || passport === undefined) throw invalidClient();
      const key = keyNamed(read, passport.prepared.passport.public_keys ?? []);
      if (key === undefined) throw invalidClient();
      const { parts } = read;
      if (!(await checks(() => isSigned({ parts, key })))) throw invalidClient();
      const agent = await issue.find(read.agent_id);
      // A key that was removed since the first look authenticates nobody.
      const present = keyNamed(read, agent.found?.prepared.passport.public_keys ?? []);
      if (present?.kid !== key.kid) throw invalidClient();
      const use = useOf(read, read.agent_id, time);
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

export type SignatureChecks = <Result>(check: () => Promise<Result>) => Promise<Result>;

/** Creates a limit for signature checks, because they block other work of the processor. */
export function limitedChecks(): SignatureChecks {
  let waiting = 0;
  return async (check) => {
    if (waiting >= MAX_CHECKS) {
      const details = { retryAfterSeconds: 1 };
      throw new IdentityError('overloaded', 'Too many signatures wait for their check. Try again.', {
        details,
      });
    }
    waiting += 1;
    try {
      return await check();
    } finally {
      waiting -= 1;
    }
  };
}

/** An assertion whose key and signature are not checked yet. */
interface ClientAssertion {
  readonly agent_id: string;
  readonly jti: string;
  /** The expiry in seconds since the Unix epoch. */
  readonly exp: number;
  readonly parts: CompactParts;
  readonly alg: SigningAlgorithm;
  readonly kid: unknown;
}

interface AssertionTerms {
  readonly issuer: string;
  readonly domain: string;
  readonly client_id: string | undefined;
  /** The present instant in milliseconds since the Unix epoch. */
  readonly at: number;
}

const HEADER_MEMBERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'JWT', 'client-authentication+jwt']);
const MAX_SECONDS = 300;
const MAX_JTI = 256;

/**
 * Reads an assertion without checking the key and the signature. Returns `undefined` if the assertion cannot
 * authenticate an agent.
 */
function readClientAssertion(text: string, terms: AssertionTerms): ClientAssertion | undefined {
  const parts = openCompact(text, MAX_ACCESS_TOKEN_LENGTH);
  const [header, claims] = [parts?.header(), parts?.claims()];
  if (parts === undefined || header === undefined || claims === undefined) return undefined;
  if (!Object.keys(header).every((name) => HEADER_MEMBERS.has(name))) return undefined;
  const alg = algorithmNamed(header['alg']);
  if (alg === undefined || !TYPES.has(header['typ'])) return undefined;
  const { sub, jti, exp } = claims;
  if (
    typeof sub !== 'string' ||
    !isNamed(claims, sub, terms) ||
    !isInTime({ iat: 0, ...claims }, terms.at, MAX_SECONDS)
  )
    return undefined;
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > MAX_JTI) return undefined;
  return { agent_id: sub, jti, exp: Math.ceil(exp as number), parts, alg, kid: header['kid'] };
}

function isNamed(
  { iss, aud }: JsonMembers,
  sub: string,
  { issuer, domain, client_id }: AssertionTerms,
): boolean {
  if (iss !== sub || aud !== issuer || (client_id !== undefined && client_id !== sub)) return false;
  return parseAgentId(sub, { allowLocalhost: true })?.domain === domain;
}

/** Returns the agent key that an assertion names. If it names no key, returns the only key for its algorithm. */
function keyNamed(
  { agent_id, alg, kid }: Pick<ClientAssertion, 'agent_id' | 'alg' | 'kid'>,
  keys: readonly AgentKey[],
): AgentKey | undefined {
  const fitting = keys.filter((key) => key.alg === alg);
  if (kid === undefined) return fitting.length === 1 ? fitting[0] : undefined;
  return fitting.find((key) => kid === key.kid || kid === `${agent_id}#${key.kid}`);
}

// Finds the API keys of token requests, and the agents for which keys with the scope `token` get tokens.

interface GivenKey {
  readonly apiKey: string;
  readonly request_id: string | null;
}

/** Finds the caller of a key with this scope; throws `invalid_client` for any other key. */
export type FindKey = (key: GivenKey, scope: Scope) => Promise<KeyCaller>;

/**
 * Creates the look-up of API keys. The caller of a key outside the cache is unknown. The look-up therefore counts
 * against the limit of concurrent anonymous reads.
 */
export function createKeyLookup(core: Pick<Core, 'demanded' | 'caches'>, places: PublicPlaces): FindKey {
  const { monotonic } = core.caches;
  const callers = core.demanded('callers');

  async function find({ apiKey, request_id }: GivenKey): Promise<KeyCaller> {
    const atMs = monotonic();
    try {
      return (
        callers.peek(apiKey, atMs) ?? (await places.take(() => callers.find(apiKey, { request_id }, atMs)))
      );
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'unauthenticated') throw invalidClient();
      throw error;
    }
  }

  return async (key, scope) => {
    const caller = await find(key);
    if (!caller.scopes.includes(scope)) throw invalidClient();
    return caller;
  };
}

export interface AgentOfKey {
  readonly agent: FoundAgent;
  readonly key: KeyCaller;
}

export interface NamedAgent extends GivenKey {
  readonly agent_id: string;
  readonly domain: string;
}

/**
 * Creates the authentication of agents by API keys. A key for all agents gets no token. If the passport requires proofs
 * of possession (its `proof` is not `optional`), an API key is not enough. The agent then needs a signed assertion.
 */
export function createKeyAuthentication(
  issue: Pick<Issue, 'find'>,
  findKey: FindKey,
): (namedAgent: NamedAgent) => Promise<AgentOfKey> {
  return async ({ agent_id, domain, ...input }) => {
    const key = await findKey(input, 'token');
    const isNamed = key.agent_ids?.includes(agent_id) === true;
    if (!isNamed || parseAgentId(agent_id, { allowLocalhost: true })?.domain !== domain)
      throw invalidClient();
    const agent = await issue.find(agent_id);
    const passport = agent.found;
    if (passport?.account_id !== key.account_id) throw invalidClient();
    if ((passport.prepared.passport.proof ?? 'optional') !== 'optional') throw invalidClient();
    return { agent, key };
  };
}

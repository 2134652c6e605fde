/** Checks proofs of possession, and creates the step that marks a proof as used. */

import { createBoundedMap } from '../../base/bounded-map.ts';
import { toBase64Url } from '../../base/bytes/base64url.ts';
import { formatInstant, instantSpeller } from '../../base/values/instant.ts';
import { isSameJson } from '../../base/values/json-values.ts';
import { MAX_PROOF_LENGTH, PROOF_ID, PROOF_TYPE, PROVED_MEMBERS } from '../../base/values/proof-format.ts';
import { hashing } from '../../platform/index.ts';
import { importPublicKey, toPublicJwk, verifyBytes } from '../../platform/signing.ts';
import type { SigningAlgorithm } from '../../ports/signer.ts';
import type { AgentKey } from '../../records/key.ts';
import type { Intent, Passport } from '../../records.ts';
import { type CompactParts, type JsonMembers, openCompact } from '../../tokens/signing/compact.ts';
import type { ProofFact, ProofProblem } from '../../verdict/index.ts';
import { PROOF_REPLAYED } from '../../verdict/proof.ts';
import type { ProofTerms } from '../shared/context.ts';
import type { Taking } from '../spending/spending.ts';

/** A checked proof. */
export interface CheckedProof {
  readonly fact: ProofFact;
  /** The step that marks a valid proof as used, in the same write as the `ALLOW`. */
  readonly takings: readonly Taking[];
}

/** Checks a proof. Resolves even if the proof is wrong. */
export type ProofCheck = (text: string, proof: Proved) => Promise<CheckedProof>;

const MAX_KEYS = 10_000;

/**
 * The seconds after its `exp` for which the use of a proof is remembered. A node whose clock is 5 s slow
 * accepts the proof until 10 s after `exp`. A clock that is 5 s fast shows this moment as 15 s after `exp`.
 * The other 15 s are a margin.
 */
const REMEMBERED_SECONDS = 30;

/** Creates the proof check of one service. */
export function createProofCheck(terms: ProofTerms): ProofCheck {
  const signatures = createAgentSignatures();
  const useOf = createProofUses();

  return async (text, proofFacts) => {
    const proof = readProof(text, proofFacts, terms);
    if (proof.state !== 'unverified') return { fact: proof, takings: [] };
    if (!(await signatures(proof))) return { fact: invalid('signature'), takings: [] };
    const { key, bound } = proof;
    return {
      fact: { state: 'valid', kid: key.kid, bound },
      takings: [useOf(proof, proofFacts.passport.agent_id, proofFacts.at)],
    };
  };
}

/** Returns `true` if a key of the agent made the signature. Never rejects. */
export type AgentSignatures = (signedProof: Pick<UnverifiedProof, 'parts' | 'key'>) => Promise<boolean>;

/** Creates the signature check of one service, which caches imported keys. */
export function createAgentSignatures(): AgentSignatures {
  const importedKeys = createBoundedMap<string, Promise<CryptoKey>>(MAX_KEYS);

  /** Imports a key, and caches it by its members. A changed key has different members, so it is imported again. */
  function importedKey(key: AgentKey): Promise<CryptoKey> {
    const jwk = toPublicJwk(key);
    const name = JSON.stringify(jwk);
    const atMs = importedKeys.get(name);
    if (atMs !== undefined) return atMs;
    const importing = importPublicKey(key.alg, jwk);
    importedKeys.set(name, importing);
    return importing;
  }

  return async ({ parts, key }) => {
    try {
      return await verifyBytes(key.alg, await importedKey(key), parts.signed(), parts.signature());
    } catch {
      // A key or an algorithm that the runtime does not support proves nothing.
      return false;
    }
  };
}

/** Creates the step that counts the use of a proof for all nodes together. `atMs` is in milliseconds. */
export type ProofUse = (
  proof: Pick<UnverifiedProof, 'jti' | 'exp'>,
  agent_id: string,
  atMs: number,
) => Taking;

/** Creates a function that returns the step for each use of a proof. */
export function createProofUses(): ProofUse {
  const [spellNow, spellEnd] = [instantSpeller(), instantSpeller()];
  return ({ jti, exp }, agent_id, atMs) => {
    const name = toBase64Url(hashing.sha256(`${agent_id}\n${jti}`));
    return {
      change: {
        op: 'add',
        counter: `proof:${name}`,
        by: 1,
        max: 1,
        at: spellNow(atMs),
        expires_at: spellEnd((exp + REMEMBERED_SECONDS) * 1_000),
      },
      refusal: [PROOF_REPLAYED],
    };
  };
}

interface Proved {
  /** The passport of an agent that the caller may see. */
  readonly passport: Passport;
  readonly intent: Intent;
  /** The instant in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** A proof that is checked except for its signature. */
interface UnverifiedProof {
  readonly state: 'unverified';
  readonly parts: CompactParts;
  readonly key: AgentKey;
  /** `true` if the proof contains exactly this intent. */
  readonly bound: boolean;
  readonly jti: string;
  /** The expiry in seconds since the Unix epoch. */
  readonly exp: number;
}

const LEEWAY_SECONDS = 5;

/** The algorithms by their names in a header. RFC 9864 added the second name. */
const ALGORITHMS: ReadonlyMap<unknown, SigningAlgorithm> = new Map([
  ['EdDSA', 'EdDSA'],
  ['Ed25519', 'EdDSA'],
  ['ES256', 'ES256'],
]);

const HEADER_MEMBERS: ReadonlySet<string> = new Set(['typ', 'alg', 'kid']);

function readProof(text: string, proof: Proved, terms: ProofTerms): UnverifiedProof | ProofFact {
  const parts = openCompact(text, MAX_PROOF_LENGTH);
  const header = parts?.header();
  if (parts === undefined || header === undefined || !isKnown(header)) return invalid('malformed');
  if (header['typ'] !== PROOF_TYPE) return invalid('type');
  const alg = ALGORITHMS.get(header['alg']);
  if (alg === undefined) return invalid('algorithm');
  const key = keyOf(header['kid'], proof.passport);
  if (key === undefined) return invalid('key');
  if (key.alg !== alg) return invalid('algorithm');
  const claims = parts.claims();
  if (claims === undefined) return invalid('malformed');
  const problem = claimsProblem(claims, proof, terms);
  if (problem !== undefined) return invalid(problem);
  const { exp, jti } = claims as { readonly exp: number; readonly jti: string };
  if (proof.at >= (exp + LEEWAY_SECONDS) * 1_000)
    return { state: 'expired', since: formatInstant(exp * 1_000) };
  const isBound = 'intent' in claims;
  if (!isForIntent(claims, proof)) return invalid('intent');
  return { state: 'unverified', parts, key, bound: isBound, jti, exp };
}

function invalid(problem: ProofProblem): ProofFact {
  return { state: 'invalid', problem };
}

/**
 * Returns `true` if the header has only known members. All others are refused, such as `crit`, `jwk`, `jku` and `x5u`.
 */
function isKnown(header: JsonMembers): boolean {
  return Object.keys(header).every((name) => HEADER_MEMBERS.has(name));
}

function keyOf(kid: unknown, { agent_id, public_keys = [] }: Passport): AgentKey | undefined {
  return public_keys.find((key) => kid === key.kid || kid === `${agent_id}#${key.kid}`);
}

function claimsProblem(
  { iss, aud, iat, exp, jti }: JsonMembers,
  { passport, at }: Proved,
  { audiences, maxSeconds }: ProofTerms,
): ProofProblem | undefined {
  if (iss !== passport.agent_id) return 'claims';
  const audience: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (typeof audience !== 'string' || !audiences.includes(audience)) return 'audience';
  if (!isSeconds(iat) || !isSeconds(exp)) return 'claims';
  const isInWindow = iat >= 0 && exp > iat && exp - iat <= maxSeconds;
  if (!isInWindow || iat * 1_000 > at + LEEWAY_SECONDS * 1_000) return 'time';
  return typeof jti === 'string' && PROOF_ID.test(jti) ? undefined : 'claims';
}

function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/**
 * Returns `true` if the proof is for this intent. A proof contains the whole intent or only its target. A
 * proof with only the target is enough if the passport does not require `proof: 'intent'`.
 */
function isForIntent(claims: JsonMembers, { passport, intent }: Proved): boolean {
  const { target } = intent;
  if ('intent' in claims) return isSameJson(claims['intent'], provedMembers(intent));
  return passport.proof !== 'intent' && target !== undefined && claims['target'] === target;
}

function provedMembers(intent: Intent): JsonMembers {
  const members: Record<string, unknown> = {};
  for (const name of PROVED_MEMBERS) {
    if (intent[name] !== undefined) members[name] = intent[name];
  }
  return members;
}

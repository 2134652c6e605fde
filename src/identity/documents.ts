/**
 * Creates DID documents (DID Core 1.0) of agents and domains. They contain keys, and do not say what an agent may do.
 */

import { fromBase64Url } from '../base/bytes/base64url.ts';
import type { AgentKey, PublicJwk } from '../records/key.ts';

/**
 * A key in a DID document. Each key is listed as `JsonWebKey` and as `Multikey`, for resolvers that know only one of
 * them.
 */
export interface VerificationMethod {
  /** The id: `<did>#<thumbprint>` for a `JsonWebKey`, `<did>#<multibase>` for a `Multikey`. */
  readonly id: string;
  readonly type: 'JsonWebKey' | 'Multikey';
  /** The DID of the document. */
  readonly controller: string;
  /** The key of a `JsonWebKey`. */
  readonly publicKeyJwk?: AgentKey & { readonly use: 'sig' };
  /** The key of a `Multikey`. */
  readonly publicKeyMultibase?: string;
}

/** A DID document. */
export interface DidDocument {
  readonly '@context': readonly string[];
  /** The DID. */
  readonly id: string;
  /** The DID of the domain. Only in the document of an agent. */
  readonly controller?: string;
  readonly verificationMethod: readonly VerificationMethod[];
  /** The ids of the keys that prove possession at present. */
  readonly authentication: readonly string[];
  /** The ids of the keys that sign statements at present. */
  readonly assertionMethod: readonly string[];
  readonly service?: readonly [
    { readonly id: string; readonly type: string; readonly serviceEndpoint: string },
  ];
}

/** The data for the document of an agent. */
export interface AgentDocumentInput {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
  /** The domain of the passport, such as `shop.example` or `shop.example%3A8443`. */
  readonly domain: string;
  readonly public_keys: readonly AgentKey[];
  /** `true` if the keys are valid now. `false` keeps the keys in the document for earlier signatures. */
  readonly isActive: boolean;
  /** The URL of the API for verdicts, such as `https://id.example.com/api`. */
  readonly publicUrl?: string | undefined;
}

/** Creates the document of an agent. It contains the keys of the agent, never a key of the service. */
export function agentDocument({
  agent_id: did,
  domain,
  public_keys,
  isActive,
  publicUrl,
}: AgentDocumentInput): DidDocument {
  const methods = methodsOf(did, public_keys);
  const usable = isActive ? methods.map(({ id }) => id) : [];
  return {
    '@context': CONTEXT,
    id: did,
    controller: `did:web:${domain}`,
    verificationMethod: methods,
    authentication: usable,
    assertionMethod: usable,
    ...serviceOf(did, publicUrl),
  };
}

/** Creates the JWK set of an agent (RFC 7517): the keys that are valid now. */
export function agentKeySet({
  public_keys,
  isActive,
}: Pick<AgentDocumentInput, 'public_keys' | 'isActive'>): {
  readonly keys: readonly (AgentKey & { readonly use: 'sig' })[];
} {
  return { keys: isActive ? public_keys.map((key) => ({ ...key, use: 'sig' })) : [] };
}

/** The data for the document of a domain. */
export interface DomainDocumentInput {
  /** The domain, such as `shop.example` or `shop.example%3A8443`. */
  readonly domain: string;
  /** The keys that the service publishes. */
  readonly keys: readonly AgentKey[];
  /** The URL of the API that gives verdicts, such as `https://id.example.com/api`. */
  readonly publicUrl?: string | undefined;
}

/**
 * Creates the document of a domain: the keys that sign passports. The keys are for assertions, not for proofs of
 * possession.
 */
export function domainDocument({ domain, keys, publicUrl }: DomainDocumentInput): DidDocument {
  const did = `did:web:${domain}`;
  const methods = methodsOf(did, keys);
  return {
    '@context': CONTEXT,
    id: did,
    verificationMethod: methods,
    authentication: [],
    assertionMethod: methods.map(({ id }) => id),
    ...serviceOf(did, publicUrl),
  };
}

const CONTEXT = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/jwk/v1',
  'https://w3id.org/security/multikey/v1',
] as const;

function methodsOf(did: string, keys: readonly AgentKey[]): readonly VerificationMethod[] {
  const jwks = keys.map((key): VerificationMethod => {
    const publicKeyJwk = { ...withoutInstants(key), use: 'sig' } as const;
    return { id: `${did}#${key.kid}`, type: 'JsonWebKey', controller: did, publicKeyJwk };
  });
  const multikeys = keys.map((key): VerificationMethod => {
    const publicKeyMultibase = toMultikey(key);
    return { id: `${did}#${publicKeyMultibase}`, type: 'Multikey', controller: did, publicKeyMultibase };
  });
  return [...jwks, ...multikeys];
}

/** Removes `nbf` and `exp`, which published keys of the service also have. */
function withoutInstants(key: AgentKey): AgentKey {
  const { kid, alg } = key;
  return key.kty === 'OKP'
    ? { kty: key.kty, crv: key.crv, x: key.x, kid, alg }
    : { kty: key.kty, crv: key.crv, x: key.x, y: key.y, kid, alg };
}

function serviceOf(did: string, publicUrl: string | undefined): Pick<DidDocument, 'service'> {
  if (publicUrl === undefined) return {};
  return {
    service: [{ id: `${did}#verify`, type: 'AgentIdentityVerify', serviceEndpoint: publicUrl }],
  };
}

const PREFIXES = { Ed25519: [0xed, 0x01], 'P-256': [0x80, 0x24] } as const;

/**
 * Encodes a key as `publicKeyMultibase` of a Multikey: `z` and base58btc of its multicodec prefix and its compressed
 * point.
 */
export function toMultikey(jwk: PublicJwk): string {
  return `z${toBase58(Uint8Array.from([...PREFIXES[jwk.crv], ...pointOf(jwk)]))}`;
}

/** Returns the compressed point. For P-256 it is the parity of y, then x (SEC 1 section 2.3.3). */
function pointOf(jwk: PublicJwk): readonly number[] {
  const x = [...(fromBase64Url(jwk.x) ?? [])];
  if (jwk.crv === 'Ed25519') return x;
  const y = fromBase64Url(jwk.y);
  return [2 + ((y?.at(-1) ?? 0) & 1), ...x];
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Encodes bytes in base58btc, like Bitcoin addresses and Multibase. Each leading zero byte becomes a `1`. */
export function toBase58(bytes: Uint8Array): string {
  let text = '';
  let remainder = bytes.reduce((integer, byte) => integer * 256n + BigInt(byte), 0n);
  for (; remainder > 0n; remainder /= 58n) text = `${ALPHABET[Number(remainder % 58n)]}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

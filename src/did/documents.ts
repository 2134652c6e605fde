/** DID documents (DID Core 1.0) of agents and of domains. They hold keys, and do not say what an agent may do. */
import type { AgentKey } from '../records/key.ts';
import { toMultikey } from './multikey.ts';

/** A key in a DID document: as `JsonWebKey`, or the same as `Multikey`, for resolvers that know only one of them. */
export interface VerificationMethod {
  /** `<did>#<thumbprint>` of a `JsonWebKey`, `<did>#<multibase>` of a `Multikey`. */
  readonly id: string;
  readonly type: 'JsonWebKey' | 'Multikey';
  /** The DID of the document. */
  readonly controller: string;
  /** Of a `JsonWebKey`. */
  readonly publicKeyJwk?: AgentKey & { readonly use: 'sig' };
  /** Of a `Multikey`. */
  readonly publicKeyMultibase?: string;
}

/** A DID document. */
export interface DidDocument {
  readonly '@context': readonly string[];
  /** The DID. */
  readonly id: string;
  /** The DID of the domain, in the document of an agent. */
  readonly controller?: string;
  readonly verificationMethod: readonly VerificationMethod[];
  /** The ids of the keys that prove possession now. */
  readonly authentication: readonly string[];
  /** The ids of the keys that sign statements now. */
  readonly assertionMethod: readonly string[];
  readonly service?: readonly [
    { readonly id: string; readonly type: string; readonly serviceEndpoint: string },
  ];
}

/** What the document of an agent says. */
export interface AgentDocumentInput {
  /** As in its passport. */
  readonly agent_id: string;
  /** As in its passport, such as `shop.example` or `shop.example%3A8443`. */
  readonly domain: string;
  readonly public_keys: readonly AgentKey[];
  /** Whether its keys count now; `false` keeps them for earlier signatures. */
  readonly isActive: boolean;
  /** The address of the API that gives verdicts, such as `https://id.example.com/api`. */
  readonly publicUrl?: string | undefined;
}

/** The document of an agent: its own keys, never those of the service. */
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

/** The JWK set of an agent (RFC 7517): the keys that count now. */
export function agentKeySet({
  public_keys,
  isActive,
}: Pick<AgentDocumentInput, 'public_keys' | 'isActive'>): {
  readonly keys: readonly (AgentKey & { readonly use: 'sig' })[];
} {
  return { keys: isActive ? public_keys.map((key) => ({ ...key, use: 'sig' })) : [] };
}

/** What the document of a domain says. */
export interface DomainDocumentInput {
  /** Such as `shop.example` or `shop.example%3A8443`. */
  readonly domain: string;
  /** The keys that the service publishes. */
  readonly keys: readonly AgentKey[];
  /** The address of the API that gives verdicts, such as `https://id.example.com/api`. */
  readonly publicUrl?: string | undefined;
}

/** The document of a domain: the keys that sign passports. They assert, and prove possession of nothing. */
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

/** Each key twice, the JWKs first. */
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

/** A published key of the service also has `nbf` and `exp`. */
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

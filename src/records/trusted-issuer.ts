/** The issuers of assertions that a passport trusts. Types only, no code. */
import type { PublicJwk } from './key.ts';

/** An algorithm of assertions. `EdDSA` and `Ed25519` mean the same. */
export type AssertionAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'Ed25519';

/** A public key of a trusted issuer as JWK: RSA of 2,048 to 4,096 bits, P-256 or Ed25519. */
export type TrustedKey = (PublicJwk | { readonly kty: 'RSA'; readonly n: string; readonly e: string }) & {
  /** The key id that assertions use; at most 256 characters. Absent: the RFC 7638 thumbprint of the key. */
  readonly kid?: string;
  /** The only algorithm of the key. Absent: every algorithm that its type supports. */
  readonly alg?: AssertionAlgorithm;
  /** The use; optional. */
  readonly use?: 'sig';
};

/**
 * An issuer of assertions that can be exchanged for access tokens. `workload`: each subject is a child agent of this
 * agent. `user`: this agent acts for the subject.
 */
export interface TrustedIssuer {
  /** The claim `iss` of the assertions: 1 to 256 printable ASCII characters without a space. */
  readonly issuer: string;
  readonly use: 'workload' | 'user';
  /** The keys of the issuer, 1 to 8. Absent: the service reads them from the issuer's address (OpenID Connect). */
  readonly keys?: readonly TrustedKey[];
  /**
   * The accepted `sub` claims, 1 to 16: exact values, or a beginning followed by `*`. Required for `workload`. Absent
   * for `user`: every subject.
   */
  readonly subjects?: readonly string[];
  /** The maximum number of child agents of a `workload` issuer, 1 to 1,000; default 100. Revoked child agents count. */
  readonly max_agents?: number;
  /**
   * `true`: a `workload` assertion is accepted until it expires, as needed for projected tokens of Kubernetes. Default:
   * it is accepted once.
   */
  readonly reuse?: boolean;
}

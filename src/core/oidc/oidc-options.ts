/** The option `oidc`. Types only. */
import type { OidcClaims, OidcProvider } from '../../ports/oidc-provider.ts';
import type { Role } from '../../records.ts';

/** The account and the role of a person. Give either `account` or `account_id`. */
export interface MappedPerson {
  /** Your own id of the organisation, 1 to 128 visible ASCII characters. The first sign-in creates its account. */
  readonly account?: string;
  /** The id of an existing account, `acc_…`. */
  readonly account_id?: string;
  /** The role, which each sign-in sets again. */
  readonly role: Role;
}

/**
 * Maps the claims of a person to an account and a role. Returns `null` for a person who may not sign in; may be
 * asynchronous.
 */
export type MapPerson = (claims: OidcClaims) => MappedPerson | null | PromiseLike<MappedPerson | null>;

/** Options for signing people in with an OpenID Connect issuer. */
export interface OidcOptions {
  /** The issuer: `openidProvider()` of the entry point `./oidc`, or your own. */
  readonly provider: OidcProvider;
  /** The name on the button of the dashboard, after `Continue with`, 1 to 100 characters. Default `single sign-on`. */
  readonly label?: string;
  /**
   * Maps the claims of a person to an account and a role. Without it, only people with an invitation link from an owner
   * can sign in. If it throws or returns `null`, the sign-in is refused.
   */
  readonly map?: MapPerson;
}

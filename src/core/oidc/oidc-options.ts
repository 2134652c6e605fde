/** The option `oidc`. Types only. */
import type { OidcClaims, OidcProvider } from '../../ports/oidc-provider.ts';
import type { Role } from '../../records.ts';

/** The place of a person in the service. Exactly one of `account` and `account_id` names the account. */
export interface MappedPerson {
  /** Your own id of the organisation, 1 to 128 visible ASCII characters. The first sign-in opens its account. */
  readonly account?: string;
  /** The id of an account that exists, `acc_…`. */
  readonly account_id?: string;
  /** The role, set again with each sign-in. */
  readonly role: Role;
}

/** Maps the claims of a person. It returns `null` for a person who may not sign in, and may be asynchronous. */
export type MapPerson = (claims: OidcClaims) => MappedPerson | null | PromiseLike<MappedPerson | null>;

/** The sign-in of people with an issuer of OpenID Connect. */
export interface OidcOptions {
  /** The issuer: `openidProvider()` of the entry point `./oidc`, or your own. */
  readonly provider: OidcProvider;
  /** The name on the button of the dashboard, after `Continue with`, 1 to 100 characters. Default `single sign-on`. */
  readonly label?: string;
  /**
   * The place of a person, from its claims. Absent: a person signs in whom an owner has invited by a link. A map that
   * throws or gives `null` signs no person in.
   */
  readonly map?: MapPerson;
}

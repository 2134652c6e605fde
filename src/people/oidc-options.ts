/** The option `oidc`, and its check. */
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { isName } from '../core/shared/people.ts';
import { IdentityError } from '../errors.ts';
import type { OidcClaims, OidcProvider } from '../ports/oidc-provider.ts';
import type { Role } from '../records.ts';

/** The account and the role of a person. Give either `account` or `account_id`. */
export interface MappedPerson {
  /** Your own id of the tenant, 1 to 128 visible ASCII characters. The first sign-in creates its account. */
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
   * Maps the claims of a person to an account and a role. Without this function, only people with an invitation link
   * from an owner can sign in. If the function throws or returns `null`, the sign-in is refused.
   */
  readonly map?: MapPerson;
}

const NAMES: OptionNames<OidcOptions> = { provider: true, label: true, map: true };

/**
 * Checks the option `oidc`.
 *
 * @throws {IdentityError} `invalid_configuration` for an issuer that cannot work.
 */
export function assertOidc(oidc: OidcOptions | undefined): void {
  if (oidc === undefined) return;
  const { provider, label, map } = knownOptions('people', oidc, NAMES, 'oidc.');
  const { start, finish } = Object(provider) as Partial<Record<'start' | 'finish', unknown>>;
  if (typeof start !== 'function' || typeof finish !== 'function')
    throw unfit('provider is not a provider: pass openidProvider() of agent-identity-service/oidc.');
  if (label !== undefined && !isName(label)) throw unfit('label must be a text of 1 to 100 characters.');
  if (map !== undefined && typeof map !== 'function') throw unfit('map must be a function.');
}

function unfit(problem: string): IdentityError {
  return new IdentityError('invalid_configuration', `people: oidc.${problem}`);
}

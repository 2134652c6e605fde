import { IdentityError } from '../../src/index.ts';

/** The options of the dashboard. */
export interface DashboardOptions {
  /** The address of the API, relative to the address of the dashboard; default `api`. */
  readonly api?: string;
  /**
   * `host`: the API of this dashboard takes the login of your application (`authenticate`), so that it shows no form and
   * keeps no token.
   */
  readonly login?: 'host';
  /**
   * The page of your application to which people go to sign in, needed with `login`; `{url}` in it stands for the encoded
   * address to come back to: `/login?next={url}`.
   */
  readonly signIn?: string;
  /** The page of your application that signs out; without it there is no such button. */
  readonly signOut?: string;
}

/** Throws `invalid_configuration` for options of a login that do not fit together. */
export function checkLogin({ login, signIn, signOut }: DashboardOptions): void {
  if (login === undefined) {
    if (signIn === undefined && signOut === undefined) return;
    throw unfit("signIn and signOut need login: 'host'.");
  }
  if (login !== 'host') throw unfit("login must be 'host'.");
  if (!isPage(signIn)) throw unfit('signIn must be a path or an address, such as /login?next={url}.');
  if (signOut !== undefined && !isPage(signOut))
    throw unfit('signOut must be a path or an address, such as /logout.');
}

/** Says whether it is a path from the root of the host or an address of the web; any other scheme could run a script. */
function isPage(value: unknown): boolean {
  return typeof value === 'string' && /^(\/(?![/\\])|https?:\/\/)/.test(value);
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', `The dashboard: ${message}`);
}

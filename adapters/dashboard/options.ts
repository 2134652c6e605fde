import { IdentityError } from '../../src/index.ts';

/** The options of the dashboard. */
export interface DashboardOptions {
  /** The address of the API, relative to the address of the dashboard; default `api`. */
  readonly api?: string;
  /**
   * `host` if the API of this dashboard uses the login of your application (`authenticate`). The dashboard then shows
   * no sign-in form and stores no token.
   */
  readonly login?: 'host';
  /**
   * The sign-in page of your application, required with `login`. `{url}` in it stands for the encoded address to come
   * back to, such as `/login?next={url}`.
   */
  readonly signIn?: string;
  /** The sign-out page of your application. Without it, the dashboard has no sign-out button. */
  readonly signOut?: string;
}

/** Throws `invalid_configuration` for login options that do not fit together. */
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

/**
 * Says whether the value is a path from the root of the host, or an http or https address. Any other scheme could run a
 * script.
 */
function isPage(value: unknown): boolean {
  return typeof value === 'string' && /^(\/(?![/\\])|https?:\/\/)/.test(value);
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', `The dashboard: ${message}`);
}

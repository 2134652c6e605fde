import { IdentityError, knownOptions, type OptionNames } from '../../src/ports/index.ts';

/** The options of `openidProvider`. */
export interface OpenidProviderOptions {
  /**
   * The issuer in the spelling of its discovery document, such as `https://login.example.com`. `http` is permitted for
   * loopback only. An issuer that stands for several issuers, such as `common` of Microsoft, is refused.
   */
  readonly issuer: string;
  /** The client id of the service at the issuer. */
  readonly clientId: string;
  /** The client secret of the service at the issuer. Absent for a public client, which PKCE protects. */
  readonly clientSecret?: string | undefined;
  /** The page to which the issuer sends the browser back, exactly as it is registered at the issuer. */
  readonly redirectUri: string;
  /** The requested scopes; default `openid email profile`. */
  readonly scope?: string | undefined;
}

/** The checked options. */
export interface CheckedOptions {
  readonly issuer: URL;
  readonly isInsecure: boolean;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
  readonly scope: string;
}

const NAMES: OptionNames<OpenidProviderOptions> = {
  issuer: true,
  clientId: true,
  clientSecret: true,
  redirectUri: true,
  scope: true,
};

/**
 * Returns the checked options.
 *
 * @throws {IdentityError} `invalid_configuration` for an option that cannot work.
 */
export function checkedOptions(givenOptions: OpenidProviderOptions): CheckedOptions {
  const options = knownOptions('openidProvider', givenOptions, NAMES);
  const { clientSecret, scope = 'openid email profile' } = options;
  const issuer = urlOf('issuer', options.issuer);
  if (issuer.search !== '' || issuer.hash !== '') throw unfit('issuer must have no query and no fragment.');
  if (isPlaceholder(issuer)) {
    throw unfit('issuer stands for several issuers: name the one of your organisation, with its tenant id.');
  }
  const redirectUri = urlOf('redirectUri', options.redirectUri);
  if (redirectUri.search !== '' || redirectUri.hash !== '')
    throw unfit('redirectUri must have no query and no fragment.');
  // The issuer compares it as a text, and reads it twice: as it is here, and from the address that came back.
  if (redirectUri.href !== options.redirectUri)
    throw unfit(`redirectUri must be written as ${redirectUri.href}`);
  if (clientSecret !== undefined) textOf('clientSecret', clientSecret);
  if (!textOf('scope', scope).split(' ').includes('openid')) throw unfit('scope must contain openid.');
  return {
    issuer,
    isInsecure: issuer.protocol === 'http:',
    clientSecret,
    scope,
    clientId: textOf('clientId', options.clientId),
    redirectUri: options.redirectUri,
  };
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw unfit(`${name} must be a text that is not empty.`);
}

function urlOf(name: string, value: unknown): URL {
  const url = parsed(textOf(name, value));
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url !== undefined && isSafe && url.username === '' && url.password === '') return url;
  throw unfit(`${name} must be an https URL, such as https://login.example.com, or http on a loopback host.`);
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Says whether the issuer is a template for several issuers. Each of these could then claim to have signed in anyone.
 */
function isPlaceholder({ pathname }: URL): boolean {
  return /^\/(common|organizations)(\/|$)/i.test(pathname) || /[{}]|%7b|%7d/i.test(pathname);
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', `openidProvider: ${message}`);
}

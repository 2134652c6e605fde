import type { Configuration } from 'openid-client';
import {
  IdentityError,
  knownOptions,
  type OidcClaims,
  type OidcProvider,
  type OptionNames,
} from '../../src/ports/index.ts';

type OpenidClient = typeof import('openid-client');

const TIMEOUT_SECONDS = 5;

/** The values that connect the end of a sign-in with its beginning, such as `state`. */
interface Transaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * Makes a provider that signs people in with an issuer: the authorization code flow with PKCE (S256), `state`, `nonce`,
 * `iss` (RFC 9207), and an ID token whose signature is checked. It reads the discovery document with the first sign-in.
 * Needs the package `openid-client`.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 *
 * @example
 * import { openidProvider } from 'agent-identity-service/oidc';
 *
 * const provider = openidProvider({
 *   issuer: 'https://login.example.com',
 *   clientId: 'agent-identity',
 *   clientSecret: process.env.OIDC_CLIENT_SECRET,
 *   redirectUri: 'https://id.example.com/',
 * });
 * console.log(Object.keys(provider)); // [ 'start', 'finish' ]
 */
export function openidProvider(options: OpenidProviderOptions): OidcProvider {
  const providerOptions = checkedOptions(options);
  let connecting: Promise<Connection> | undefined;

  function connect(): Promise<Connection> {
    connecting ??= open(providerOptions).catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  }

  return {
    async start() {
      const { client, config } = await connect();
      const transaction: Transaction = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: providerOptions.redirectUri,
        scope: providerOptions.scope,
        state: transaction.state,
        nonce: transaction.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(transaction.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, transaction: JSON.stringify(transaction) };
    },

    async finish(transaction, response) {
      const expectedTransaction = readTransaction(transaction);
      const connection = await connect();
      try {
        return await claimsOf(
          connection,
          expectedTransaction,
          answerUrl(providerOptions.redirectUri, response),
        );
      } catch (error) {
        throw issuerFailure(error);
      }
    },
  };
}

interface Connection {
  readonly client: OpenidClient;
  readonly config: Configuration;
}

async function open({ issuer, isInsecure, clientId, clientSecret }: CheckedOptions): Promise<Connection> {
  const client = await loadClient();
  const execute = [
    // The signature of an ID token is not checked otherwise, where TLS has brought it.
    client.enableNonRepudiationChecks,
    ...(isInsecure ? [client.allowInsecureRequests] : []),
  ];
  const auth = clientSecret === undefined ? client.None() : secretAuth(client, clientSecret);
  const options = { execute, timeout: TIMEOUT_SECONDS };
  const config = await client.discovery(issuer, clientId, {}, auth, options).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  const { authorization_endpoint, token_endpoint } = config.serverMetadata();
  if (authorization_endpoint === undefined || token_endpoint === undefined)
    throw unreachable(new Error('The discovery document names no endpoint for sign-ins.'));
  return { client, config };
}

/**
 * Sends the secret in the body if the issuer supports this way. Otherwise uses HTTP Basic, which is the default of
 * OpenID Connect.
 */
function secretAuth(client: OpenidClient, secret: string): ReturnType<OpenidClient['ClientSecretPost']> {
  const [inBody, byHeader] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (server, ...otherArgs) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    return (methods.includes('client_secret_post') ? inBody : byHeader)(server, ...otherArgs);
  };
}

async function claimsOf(
  { client, config }: Connection,
  { state, nonce, verifier }: Transaction,
  answer: URL,
): Promise<OidcClaims> {
  const tokens = await client.authorizationCodeGrant(config, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw refused('no_id_token');
  return claims;
}

function answerUrl(redirectUri: string, response: string): URL {
  const url = new URL(redirectUri);
  url.search = response;
  return url;
}

function readTransaction(text: string): Transaction {
  try {
    const { state, nonce, verifier } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    // An empty text would switch the check of it off.
    if (isText(state) && isText(nonce) && isText(verifier)) return { state, nonce, verifier };
  } catch {
    // Refused below.
  }
  throw refused('transaction');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

async function loadClient(): Promise<OpenidClient> {
  try {
    return await import('openid-client');
  } catch (cause) {
    const message = 'OpenID Connect needs a package: npm install openid-client';
    throw new IdentityError('invalid_configuration', message, { cause });
  }
}

/** Creates the error for a failed sign-in. `reason` is a word for the log, without text of a third party. */
function refused(reason: string): IdentityError {
  return new IdentityError('invalid_credentials', 'The sign-in was not completed. Begin it again.', {
    details: { reason },
  });
}

function unreachable(cause: unknown): IdentityError {
  return new IdentityError(
    'service_unreachable',
    'The issuer that signs people in did not answer. Try again.',
    {
      cause,
      details: { retryAfterSeconds: 5 },
    },
  );
}

/** The error codes of `openid-client` if an issuer does not answer, or answers with another page. */
const OUTAGES: readonly unknown[] = [
  ...['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'],
  'OAUTH_PARSE_ERROR',
];

/** The error codes of a token endpoint that does not accept the client id or the secret of this service. */
const SET_UP_WRONG: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

function issuerFailure(error: unknown): IdentityError {
  if (error instanceof IdentityError) return error;
  const { code, error: answeredValue } = Object(error) as {
    readonly code?: unknown;
    readonly error?: unknown;
  };
  if (OUTAGES.includes(code) || isNetworkFailure(error)) return unreachable(error);
  // An error in the answer of the browser is a text that anyone can send.
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' && SET_UP_WRONG.includes(answeredValue)) {
    const message = 'The issuer refuses this service: compare its client id and its secret.';
    return new IdentityError('invalid_configuration', message, { details: { reason: answeredValue } });
  }
  return refused(typeof code === 'string' ? code : 'failed');
}

function isNetworkFailure(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

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
interface CheckedOptions {
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
function checkedOptions(givenOptions: OpenidProviderOptions): CheckedOptions {
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

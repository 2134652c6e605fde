/**
 * Makes requests to hosts that an untrusted user has named. A request goes only to a public address, and to exactly the
 * address that was checked. It uses TLS with a valid certificate, and no redirects, cookies, credentials or proxies.
 * `allowLocalhost` permits this machine as well.
 */
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { knownOptions, type OptionNames } from '../../src/ports/index.ts';
import { isGlobalAddress } from './global-address.ts';

/** The options of a request. */
export interface SafeRequest {
  /** The HTTP method; default `GET`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** The maximum number of bytes of the response body; default 256 KiB. A longer response is refused. */
  readonly maxBytes?: number;
  /** The time limit of the whole request, in milliseconds; default 5,000. */
  readonly timeoutMs?: number;
  /** Permits port 443 and all ports from 1,024; default `false`, which permits only port 443. */
  readonly highPorts?: boolean;
  /** Truncates a longer response at `maxBytes` instead of refusing it; default `false`. */
  readonly cutsBody?: boolean;
  /** Permits this machine (`localhost`, 127.0.0.0/8, ::1), also over http and at any port; default `false`. */
  readonly allowLocalhost?: boolean;
}

/** Makes a request as `fetch` does, but returns a redirect instead of following it. Rejects with a `SafeFetchError`. */
export type SafeFetch = (url: string | URL, request?: SafeRequest) => Promise<Response>;

/**
 * The error of a request that was refused or not answered. Its message names the rule and the host. It quotes nothing
 * else of the URL, and nothing from a response.
 */
export class SafeFetchError extends Error {
  override readonly name = 'SafeFetchError';
}

/** Replacements for Node's network, for tests and for applications with their own network. */
export interface SafeFetchOptions {
  /** Returns all addresses of a host name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Opens a connection to a checked address. Default: the connection of Node. */
  readonly dial?: (address: string, port: number) => Socket;
  /** Certificates to trust instead of the certificates of Node. */
  readonly ca?: string;
}

const OPTIONS: OptionNames<SafeFetchOptions> = { resolve: true, dial: true, ca: true };
const REQUEST: OptionNames<SafeRequest> = {
  method: true,
  headers: true,
  body: true,
  signal: true,
  maxBytes: true,
  timeoutMs: true,
  highPorts: true,
  cutsBody: true,
  allowLocalhost: true,
};
const MAX_BYTES = 256 * 1_024;
const TIMEOUT_MS = 5_000;

/**
 * Creates a `SafeFetch` with these options.
 *
 * @throws {IdentityError} `invalid_configuration` for an unknown option.
 */
export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { resolve, dial, ca } = knownOptions('createSafeFetch', options, OPTIONS);
  return async (givenUrl, request = {}) => {
    const { timeoutMs = TIMEOUT_MS, signal, ...askedRequest } = knownOptions('safeFetch', request, REQUEST);
    const { url, host, port } = checkedUrl(givenUrl, askedRequest);
    const late = AbortSignal.timeout(timeoutMs);
    const endedSignal = signal === undefined ? late : AbortSignal.any([late, signal]);
    try {
      const isLocal = askedRequest.allowLocalhost === true && isLocalHost(host);
      const address = isLocal ? localAddress(host) : await before(endedSignal, checkedAddress(host, resolve));
      return await send({ url, host, port, address, ended: endedSignal, dial, ca }, askedRequest);
    } catch (error) {
      signal?.throwIfAborted();
      if (late.aborted)
        throw new SafeFetchError(`The host ${host} did not answer within ${timeoutMs} ms. Try again.`);
      if (error instanceof SafeFetchError) throw error;
      throw new SafeFetchError(
        `The host ${host} cannot be reached (${codeOf(error)}). Check its name and server.`,
      );
    }
  };
}

interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
}

type Terms = Pick<SafeRequest, 'highPorts' | 'allowLocalhost'>;

/**
 * Returns why a URL is always refused: because of its scheme, its port, or the address in it. Returns `undefined` if
 * the URL is acceptable.
 */
export function urlRefusal(url: string | URL, terms: Terms): string | undefined {
  const givenHost = URL.canParse(url) ? hostOf(new URL(url)) : '';
  const isThisMachine = isLocalHost(givenHost);
  if (isThisMachine && terms.allowLocalhost !== true) return thisMachine(givenHost);
  try {
    const { host } = checkedUrl(url, terms);
    return isThisMachine || isIP(host) === 0 || isGlobalAddress(host) ? undefined : notPublic(host);
  } catch (error) {
    if (error instanceof SafeFetchError) return error.message;
    throw error;
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function thisMachine(host: string): string {
  return `The host ${host} is this machine. Use a public host, or the option allowLocalhost (serve --allow-localhost).`;
}

function notPublic(host: string): string {
  return `The host ${host} has an address that is not on the public Internet. Use a public host.`;
}

/** Checks a URL. The URL parser has already normalised the host, so `0x7f.1` and `2130706433` are `127.0.0.1`. */
function checkedUrl(givenUrl: string | URL, { highPorts, allowLocalhost }: Terms): Target {
  const url = URL.canParse(givenUrl) ? new URL(givenUrl) : undefined;
  const host = url === undefined ? '' : hostOf(url);
  const isLocal = allowLocalhost === true && isLocalHost(host);
  if (url?.protocol !== 'https:' && !(isLocal && url?.protocol === 'http:'))
    throw new SafeFetchError('The URL must begin with https://.');
  if (url.username !== '' || url.password !== '')
    throw new SafeFetchError('The URL has a user or a password. Leave them out.');
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443));
  if (!isLocal && port !== 443 && !(highPorts === true && port >= 1_024))
    throw new SafeFetchError(
      `The port ${port} is not allowed. Use 443${highPorts === true ? ' or a port from 1024' : ''}.`,
    );
  return { url, host, port };
}

function isLocalHost(host: string): boolean {
  return (
    /^(?:[a-z0-9-]+\.)*localhost\.?$/.test(host) ||
    (isIP(host) === 4 && host.startsWith('127.')) ||
    host === '::1'
  );
}

/**
 * Returns the loopback address of a local name. It does not ask DNS, which could answer with another machine (RFC 6761
 * section 6.3).
 */
function localAddress(host: string): string {
  return isIP(host) === 0 ? '127.0.0.1' : host;
}

/**
 * Resolves and checks a host. A single private address refuses the name, because a mix with public addresses is an
 * attack or a mistake.
 */
async function checkedAddress(host: string, resolve: SafeFetchOptions['resolve']): Promise<string> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const [first] = addresses;
  if (first === undefined) throw new SafeFetchError(`The host ${host} has no address. Check its name.`);
  if (!addresses.every(isGlobalAddress)) throw new SafeFetchError(notPublic(host));
  return first;
}

interface Way extends Target {
  readonly address: string;
  readonly ended: AbortSignal;
  readonly dial: SafeFetchOptions['dial'];
  readonly ca: string | undefined;
}

function send(
  { url, host, port, address, ended, dial, ca }: Way,
  { method = 'GET', headers = {}, body, maxBytes = MAX_BYTES, cutsBody = false }: SafeRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, connection: 'close' },
      signal: ended,
      // No agent, which would resolve the name again. The connection goes to the checked address: a second look-up
      // could return another one.
      createConnection: (): Socket => {
        if (url.protocol === 'http:') return (dial ?? connectPlain)(address, port);
        const name = isIP(host) === 0 ? { servername: host } : {};
        const target = { host: address, port, ...(dial !== undefined && { socket: dial(address, port) }) };
        // Set here, because NODE_TLS_REJECT_UNAUTHORIZED=0 would change the default to accept any certificate.
        const trust = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
        return connect({ ...target, ...name, ...trust, ALPNProtocols: ['http/1.1'] });
      },
    };
    const requestBy = url.protocol === 'http:' ? requestPlain : request;
    requestBy(options, (answer) => {
      readBody(answer, host, { maxBytes, cutsBody }).then(
        (bytes) => resolve(toResponse(answer, bytes)),
        reject,
      );
    })
      .on('error', reject)
      .end(body);
  });
}

function connectPlain(address: string, port: number): Socket {
  return connectSocket({ host: address, port });
}

async function readBody(
  answer: IncomingMessage,
  host: string,
  { maxBytes, cutsBody }: { readonly maxBytes: number; readonly cutsBody: boolean },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) {
      answer.destroy();
      if (cutsBody) return Buffer.concat(chunks);
      throw new SafeFetchError(`The answer of ${host} is longer than ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toResponse({ statusCode = 502, headers }: IncomingMessage, bytes: Buffer): Response {
  const keptHeaders = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'set-cookie' && value !== undefined) keptHeaders.set(name, [value].flat().join(', '));
  }
  const hasBody = ![204, 205, 304].includes(statusCode);
  return new Response(hasBody ? new Uint8Array(bytes) : null, { status: statusCode, headers: keptHeaders });
}

function before<Result>(endedSignal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(endedSignal.reason);
    if (endedSignal.aborted) stop();
    endedSignal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => endedSignal.removeEventListener('abort', stop));
  });
}

function codeOf(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'no code';
}

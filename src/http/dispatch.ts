/** Handles one request in three steps: admit it, call the endpoint, answer. Contains the only try/catch of HTTP. */
import { createDeadlines, within } from '../base/async/deadlines.ts';
import { steadyNow } from '../base/async/watch.ts';
import { ANSWER_DEADLINES, type IdentityService, tooLate } from '../core.ts';
import { countedIds } from '../credential/random-id.ts';
import { IdentityError, type IdentityErrorCode } from '../errors.ts';
import { hashing, secureRandom } from '../platform/index.ts';
import { zlib } from '../platform/zlib.ts';
import { createCheck } from './access/check.ts';
import { ANYONE, admit, showCredential } from './admit.ts';
import { failure, success } from './answer.ts';
import type { ApiHost, VerdictServing } from './api-host.ts';
import { authenticate } from './authenticate.ts';
import type { Call, Credential, Endpoint, Reply, SharedDocument } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { type ApiRequest, type ApiResponse, type Exchange, headerOf, readRequestId } from './exchange.ts';
import { createMatcher, type Match, type Matcher } from './match.ts';
import { openApiDocument } from './openapi.ts';
import { readBody, readCall } from './read-call.ts';
import { matchesEtag } from './replies.ts';
import { describedBy, servedBy } from './served.ts';

/** Answers a request. Returns `undefined` if no endpoint has its path. */
export type Dispatch = (request: ApiRequest) => Promise<ApiResponse | undefined>;

/**
 * The milliseconds within which the caller is found in the cache. A longer search means that it was read from
 * the storage.
 */
const AT_ONCE_MS = 5;

/**
 * Creates the dispatcher of the endpoints that this service offers.
 *
 * @throws {IdentityError} `invalid_configuration` if the host cannot be served.
 */
export function createDispatch(host: ApiHost): Dispatch {
  const table = openTable(host, false);
  const service = host as IdentityService;
  const { refusal } = host.serving as Partial<VerdictServing>;
  const hostTable = once(() => openTable(host, true));
  const answerCheck = createCheck(host);
  const nextRequestId = countedIds('req', secureRandom).next;
  const { deadlineMs, metrics } = service.serving;
  const deadlines = createDeadlines(deadlineMs, tooLate);

  function tableFor({ hostLogin }: ApiRequest): Table {
    return hostLogin === undefined ? table : hostTable();
  }

  function counted(route: string, response: ApiResponse): ApiResponse {
    metrics?.onRequest(route, response.status);
    return response;
  }

  function failed(
    exchange: Exchange,
    match: Exclude<Match, { found: 'nothing' }>,
    error: unknown,
  ): ApiResponse {
    const isEndpoint = match.found === 'endpoint';
    const path = isEndpoint ? match.endpoint.path : 'a path';
    const { errorsAs } = isEndpoint ? match.endpoint : match;
    return counted(isEndpoint ? path : OTHER_METHODS, failure(exchange, { path, errorsAs }, error));
  }

  function handleInTime(endpoint: Endpoint, call: Call<Credential>, waitedMs: number): Promise<Reply> {
    // A verdict has a limit of its own, which does not count the wait for the caller.
    const hasOwnLimit = endpoint.counted === true && waitedMs < AT_ONCE_MS;
    if (hasOwnLimit || endpoint.patient === true) return endpoint.handle(call);
    const leftMs = Math.min(deadlineMs, ANSWER_DEADLINES * deadlineMs - waitedMs);
    return within(() => endpoint.handle(call), { ms: leftMs, toError: tooLate });
  }

  // The steps are not asynchronous functions of their own: each costs every request about 400 bytes.
  return async (request) => {
    const { find, document } = tableFor(request);
    const match = find(request.method, request.path);
    if (match.found === 'nothing') return answerCheck(request, nextRequestId());
    const requestId = readRequestId(request.rawHeaders) ?? nextRequestId();
    const exchange: Exchange = { request, service, deadlines, document, requestId, rate: undefined };
    let isAdmitted = false;
    try {
      if (match.found === 'path') throw methodNotAllowed(match.allow);
      const { endpoint } = match;
      const shownCredential = showCredential(exchange, endpoint);
      const startedAt = steadyNow();
      const admission =
        shownCredential === undefined
          ? ANYONE
          : admit(exchange, match, shownCredential, await authenticate(exchange, shownCredential, endpoint));
      const waitedMs = steadyNow() - startedAt;
      isAdmitted = shownCredential !== undefined;
      const body = endpoint.body && (await readBody(endpoint.body, request));
      const call = readCall(exchange, match, admission, body);
      const reply = await handleInTime(endpoint, call, waitedMs);
      return counted(endpoint.path, success(exchange, endpoint, reply));
    } catch (error) {
      const earlier = isAdmitted && isOfInput(error) ? await refusal?.() : undefined;
      return failed(exchange, match, earlier ?? error);
    }
  };
}

interface Table {
  readonly find: Matcher;
  readonly document: SharedDocument;
}

function openTable(host: ApiHost, hasHostLogin: boolean): Table {
  const servedEndpoints = servedBy(host, hasHostLogin);
  const findServed = createMatcher(servedEndpoints);
  const findHidden = createMatcher(endpoints.filter((endpoint) => !servedEndpoints.includes(endpoint)));
  return {
    find(method, path) {
      const match = findServed(method, path);
      // An endpoint that is not served answers 404, even if its path has other methods.
      const isHidden = match.found === 'path' && findHidden(method, path).found === 'endpoint';
      return isHidden ? { found: 'nothing' } : match;
    },
    document: sharedDocument(() =>
      JSON.stringify(openApiDocument(describedBy(host, servedEndpoints), hasHostLogin)),
    ),
  };
}

function once<Value>(make: () => Value): () => Value {
  let result: { readonly value: Value } | undefined;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}

/** The route in metrics for a request with a known path but an unknown method. */
const OTHER_METHODS = 'other_methods';

/**
 * The errors of a body and its headers. If the caller is refused as well, the answer reports the refusal
 * instead of these errors.
 */
const OF_INPUT = new Set<IdentityErrorCode>([
  ...(['invalid_json', 'invalid_request', 'payload_too_large', 'unsupported_media_type'] as const),
]);

function isOfInput(error: unknown): boolean {
  return error instanceof IdentityError && OF_INPUT.has(error.code);
}

function methodNotAllowed(allow: string): IdentityError {
  return new IdentityError('method_not_allowed', `This path takes ${allow}.`, { details: { allow } });
}

interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates a shared document from the text that `make` returns at the first request. */
export function sharedDocument(make: () => string): SharedDocument {
  let encoding: Promise<{ readonly plain: Encoded; readonly deflated: Encoded }> | undefined;
  return async (rawHeaders) => {
    encoding ??= encode(make());
    const { plain, deflated } = await encoding;
    const { bytes, headers } = acceptsDeflate(headerOf(rawHeaders, 'accept-encoding')) ? deflated : plain;
    const isKnown = matchesEtag(headerOf(rawHeaders, 'if-none-match'), headers['etag'] ?? '');
    return isKnown ? { headers, notModified: true } : { headers, body: bytes };
  };
}

async function encode(text: string): Promise<{ readonly plain: Encoded; readonly deflated: Encoded }> {
  const bytes = new TextEncoder().encode(text);
  const digest = hashing.sha256Hex(text).slice(0, 32);
  const headers = { vary: 'accept-encoding' };
  return {
    plain: { bytes, headers: { etag: `"${digest}"`, ...headers } },
    deflated: {
      bytes: new Uint8Array(await zlib.deflate(bytes)),
      headers: { etag: `"${digest}-deflate"`, 'content-encoding': 'deflate', ...headers },
    },
  };
}

/** Returns `true` if `Accept-Encoding` names `deflate` with a weight above 0 (RFC 9110 section 12.5.3). */
function acceptsDeflate(header = ''): boolean {
  return header
    .split(',')
    .some((part) => /^\s*deflate\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(part));
}

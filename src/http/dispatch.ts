/** Takes one request through the table in three steps: admit it, read the call, answer. The only try/catch of HTTP. */
import { createDeadlines } from '../base/async/deadlines.ts';
import { countedIds } from '../credential/random-id.ts';
import { IdentityError } from '../errors.ts';
import { secureRandom } from '../platform/index.ts';
import { type IdentityService, tooLate } from '../service.ts';
import { ANYONE, admit, showCredential } from './admit.ts';
import { failure, success } from './answer.ts';
import { assertService } from './assert-service.ts';
import { authenticate } from './authenticate.ts';
import { endpoints } from './endpoints.ts';
import { type ApiRequest, type ApiResponse, type Exchange, readRequestId } from './exchange.ts';
import { createMatcher, type Match } from './match.ts';
import { openApiDocument } from './openapi.ts';
import { readBody } from './read-body.ts';
import { readCall } from './read-call.ts';

/** Answers a request; `undefined` if its path is not in the table. */
export type Dispatch = (request: ApiRequest) => Promise<ApiResponse | undefined>;

/** Makes the dispatcher of the endpoints that this service offers. */
export function createDispatch(service: IdentityService): Dispatch {
  assertService(service);
  const served = endpoints.filter(({ needs }) => needs?.(service) ?? true);
  const matchEndpoint = createMatcher(served);
  const nextRequestId = countedIds('req', secureRandom);
  const { deadlineMs, metrics } = service.serving;
  const deadlines = createDeadlines(deadlineMs, tooLate);
  let described: string | undefined;
  const document = () => (described ??= JSON.stringify(openApiDocument(served)));

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
    const { textErrors = false } = isEndpoint ? match.endpoint : match;
    return counted(isEndpoint ? path : OTHER_METHODS, failure(exchange, { path, textErrors }, error));
  }

  // The steps are not asynchronous functions of their own: each costs every request about 400 bytes.
  return async (request) => {
    const match = matchEndpoint(request.method, request.path);
    if (match.found === 'nothing') return undefined;
    const givenId = readRequestId(request.rawHeaders);
    const requestId = givenId ?? nextRequestId();
    const exchange: Exchange = { request, service, deadlines, document, givenId, requestId, rate: undefined };
    try {
      if (match.found === 'path') throw methodNotAllowed(match.allow);
      const { endpoint } = match;
      const shown = showCredential(exchange, endpoint);
      const admission =
        shown === undefined ? ANYONE : admit(exchange, endpoint, shown, await authenticate(exchange, shown));
      const body = endpoint.body && (await readBody(endpoint.body, request));
      const call = readCall(exchange, match, admission, body);
      // A verdict asks the storage once at most, under the storage's own deadline.
      const keepsOwnDeadline = endpoint.counted === true || endpoint.patient === true;
      const reply = await (keepsOwnDeadline
        ? endpoint.handle(call)
        : deadlines.limit(() => endpoint.handle(call)));
      return counted(endpoint.path, success(exchange, endpoint, reply));
    } catch (error) {
      return failed(exchange, match, error);
    }
  };
}

/** The route, in metrics, of a request whose path is in the table but whose method is not. */
const OTHER_METHODS = 'other_methods';

function methodNotAllowed(allow: string): IdentityError {
  return new IdentityError('method_not_allowed', `This path takes ${allow}.`, { details: { allow } });
}

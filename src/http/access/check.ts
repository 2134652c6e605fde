/**
 * Answers a gateway that asks about one HTTP request. The gateway lets the request pass if the status is 200, and stops
 * the request otherwise.
 */
import type { Authzen } from '../../base/authzen.ts';
import { type IdentityService, type KeyCaller, requireScope } from '../../core.ts';
import { IdentityError } from '../../errors.ts';
import type { Intent } from '../../records.ts';
import { failure } from '../answer.ts';
import type { ApiHost } from '../api-host.ts';
import { type ApiRequest, type ApiResponse, headerOf, isDoubled, readRequestId } from '../exchange.ts';

export const CHECK_PATH = '/access/v1/check';

interface CheckedRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

interface CheckServing {
  readonly authzen?: Authzen | undefined;
  authenticateKey(key: string, call: { readonly request_id: string }): Promise<KeyCaller>;
  countVerifications(caller: KeyCaller, count: number): unknown;
  readonly metrics?: { onRequest(route: string, status: number): void } | undefined;
}

/** Answers a check. Returns `undefined` for another path, and if the service has no such endpoint. */
export type AnswerCheck = (request: ApiRequest, nextId: string) => Promise<ApiResponse> | undefined;

/** Creates the function that answers checks. The function never rejects. Without a verdict the status is not 200. */
export function createCheck(host: ApiHost): AnswerCheck {
  const service = host as IdentityService;
  const serving: CheckServing = host.serving as unknown as CheckServing;
  const { authzen } = serving;
  const form = authzen?.check;
  if (authzen === undefined || form === undefined) return () => undefined;

  async function answer(request: ApiRequest, request_id: string): Promise<Answer> {
    const { rawHeaders } = request;
    const names = ['x-api-key', 'x-agent-id', ...(form === 'path' ? ['host'] : FORWARDED)];
    if (names.some((name) => isDoubled(rawHeaders, name))) return UNREADABLE;
    const key = headerOf(rawHeaders, 'x-api-key');
    if (key === undefined) throw new IdentityError('unauthenticated', 'Send an API key: X-API-Key: <key>.');
    const caller = await serving.authenticateKey(key, { request_id });
    requireScope(caller, 'verify');
    serving.countVerifications(caller, 1);
    const askedRequest = form === 'path' ? ofPath(request) : ofHeaders(rawHeaders);
    const id = headerOf(rawHeaders, 'x-agent-id');
    if (askedRequest === undefined || id === undefined || !/^[!-+\--~]{1,512}$/.test(id)) return UNREADABLE;
    const intent = intentOf(askedRequest, id, authzen as Authzen);
    const { verdict, reasons, decision_id } = await service.verify(intent, caller);
    const isAllowed = verdict === 'ALLOW' && reasons.length === 0;
    return { status: isAllowed ? 200 : 403, codes: reasons.map(({ code }) => code), decision_id };
  }

  return (request, nextId) => {
    const { path } = request;
    if (path !== CHECK_PATH && !(form === 'path' && path.startsWith(`${CHECK_PATH}/`))) return undefined;
    const requestId = readRequestId(request.rawHeaders) ?? nextId;
    return answer(request, requestId)
      .then((ownAnswer) => response(ownAnswer, requestId))
      .catch((error: unknown) =>
        closed(failure({ request, service, requestId, rate: undefined }, PLACE, error)),
      )
      .then((ownResponse) => {
        serving.metrics?.onRequest(CHECK_PATH, ownResponse.status);
        return ownResponse;
      });
  };
}

interface Answer {
  readonly status: number;
  readonly codes: readonly string[];
  readonly decision_id?: string;
}

const UNREADABLE: Answer = { status: 403, codes: ['intent_unreadable'] };
const PLACE = { path: CHECK_PATH, errorsAs: 'text' } as const;
const FORWARDED: readonly string[] = ['x-forwarded-method', 'x-forwarded-host', 'x-forwarded-uri'];

function response({ status, codes, decision_id }: Answer, requestId: string): ApiResponse {
  const headers = [
    'content-type',
    'application/json',
    'cache-control',
    'no-store',
    'x-request-id',
    requestId,
  ];
  if (decision_id !== undefined) headers.push('x-agent-identity-decision-id', decision_id);
  return { status, headers, body: status === 200 ? '{}' : JSON.stringify({ reasons: codes }) };
}

/** Converts an error answer to a status that gateways understand. A wrong request is 403. */
function closed({ status, headers, body }: ApiResponse): ApiResponse {
  const isKnown = status === 401 || status === 429;
  return { status: isKnown ? status : status < 500 ? 403 : 503, headers, body };
}

/**
 * Returns the original request. The path of this request follows the path of the check. Returns `undefined` if a
 * `Request` of Fetch has rewritten the path.
 */
function ofPath({ path, query, method, rawHeaders, isRewritten }: ApiRequest): CheckedRequest | undefined {
  if (isRewritten) return undefined;
  return checked({
    method,
    path: path.slice(CHECK_PATH.length),
    query,
    host: headerOf(rawHeaders, 'host') ?? '',
  });
}

function ofHeaders(rawHeaders: readonly string[]): CheckedRequest | undefined {
  const [method = '', host = '', uri = ''] = FORWARDED.map((name) => headerOf(rawHeaders, name));
  const mark = uri.indexOf('?');
  const [path, query] = mark < 0 ? [uri, ''] : [uri.slice(0, mark), uri.slice(mark + 1)];
  return checked({ method, host, path, query });
}

/** Returns the request. Returns `undefined` if two programs could read it differently. */
function checked({ method, host, path, query }: CheckedRequest): CheckedRequest | undefined {
  const isMethod = /^[A-Za-z][A-Za-z-]{0,30}$/.test(method);
  const isHost = /^(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i.test(host);
  const isText = [path, query].every((text) => /^[!-~]{0,8192}$/.test(text) && !text.includes('#'));
  const isPath = path.startsWith('/') && !ODD.test(path) && !/%(?![\da-f]{2})/i.test(path);
  return isMethod && isHost && isText && isPath
    ? { method, host: host.toLowerCase(), path, query }
    : undefined;
}

const ODD = /\/\/|\/\.{1,2}(?:\/|$)|%(?:25)*(?:2e|2f|5c|00)|[\\;]/i;

function intentOf({ method, host, path, query }: CheckedRequest, id: string, authzen: Authzen): Intent {
  const action = `http.${method.toLowerCase()}`;
  const evaluation = {
    subject: { type: 'agent', id },
    action: { name: action },
    resource: { type: 'http', id: path },
  };
  const subject = authzen.subjectOf(evaluation);
  return {
    agent_id: authzen.agentIdOf(evaluation),
    action,
    parameters: { host, path, query },
    ...(subject !== undefined && { subject }),
  };
}

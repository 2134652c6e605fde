import { expect } from 'vitest';
import { createDispatch } from '../../src/http/dispatch.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { type ApiHost, fetchHandler } from '../../src/http/index.ts';
import { describedBy, servedBy } from '../../src/http/served.ts';
import { answerCheck } from './openapi.ts';
import { expectNoSecret, type Opened, PASSWORD } from './service.ts';

/** One request. Without `type` a body is `application/json`; `type: null` sends none. */
export interface Ask {
  readonly token?: string | undefined;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
  readonly type?: string | null;
  /** The address of the caller; default: unknown. */
  readonly address?: string;
}

/** One answer that was held against the OpenAPI document. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the body; `{}` without one. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The API of a service: every answer is checked, and none may show a secret that it did not just make. */
export interface Api {
  ask(method: string, path: string, ask?: Ask): Promise<Answer>;
  /** As `ask`, with headers as they stand on the wire, so that one can come twice. */
  askRaw(method: string, path: string, rawHeaders: readonly string[], body?: string): Promise<Answer>;
}

/** An account that signed in. */
export interface SignedIn {
  readonly email: string;
  readonly account_id: string;
  readonly token: string;
}

const ORIGIN = 'http://127.0.0.1/api';

/** The documents that were asked for, by the endpoints that they describe: to make one takes several milliseconds. */
const documents = new Map<string, string>();

/** Names the parts of an endpoint that differ between two tables. */
function nameOf({ method, path, errors = [] }: Endpoint): string {
  return `${method} ${path} ${errors.join(' ')}`;
}

/** The API over a service, or over what else the table serves, by the fetch handler. */
export function openApi({ service, secrets }: { readonly service: ApiHost } & Pick<Opened, 'secrets'>): Api {
  const handle = fetchHandler(service, {
    address: (request) => request.headers.get('x-test-address') ?? undefined,
  });
  const dispatch = createDispatch(service);
  const table = describedBy(service, servedBy(service)).map(nameOf).join();

  async function documentOf(): Promise<string> {
    const known = documents.get(table);
    if (known !== undefined) return known;
    const made = await (await handle(new Request(`${ORIGIN}/openapi.json`))).text();
    documents.set(table, made);
    return made;
  }

  async function checked(method: string, path: string, response: Response): Promise<Answer> {
    const document = await documentOf();
    const { status, headers } = response;
    const text = await textOf(response);
    const [pathOnly = ''] = path.split('?');
    answerCheck(document)({ method, path: pathOnly, status, headers, text });
    expectNoSecret(`${text}${JSON.stringify([...headers])}`, secrets);
    const isJson = headers.get('content-type')?.endsWith('json') === true;
    const body = text === '' || !isJson ? {} : JSON.parse(text);
    // What proves a domain is published by its owner.
    for (const field of ['access_token', 'key', 'token'])
      if (typeof body[field] === 'string' && !body[field].startsWith('aid-')) secrets.add(body[field]);
    return { status, headers, text, body };
  }

  return {
    async ask(method, path, ask = {}) {
      return checked(method, path, await handle(toRequest(method, path, ask)));
    },
    async askRaw(method, path, rawHeaders, body = '') {
      const [pathOnly = '', query = ''] = path.split('?');
      const readBody = async () => new TextEncoder().encode(body);
      const reply = await dispatch({
        method,
        path: pathOnly,
        query,
        rawHeaders,
        client: () => ({ address: undefined }),
        signal: () => new AbortController().signal,
        readBody,
      });
      if (reply === undefined) expect.fail(`${path} is not in the table`);
      const headers = new Headers();
      for (let at = 0; at < reply.headers.length; at += 2) {
        headers.append(reply.headers[at] ?? '', reply.headers[at + 1] ?? '');
      }
      if (typeof reply.body === 'object') expect.fail('A stream has no place here.');
      return checked(method, path, new Response(reply.body ?? null, { status: reply.status, headers }));
    },
  };
}

/** Of a stream of events, which has no end, the beginning. */
async function textOf(response: Response): Promise<string> {
  const { body } = response;
  if (body === null || !isEvents(response)) return response.text();
  const reader = body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

function isEvents({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}

/** The Fetch request of an `Ask`. */
export function toRequest(method: string, path: string, ask: Ask, origin: string = ORIGIN): Request {
  const headers = new Headers(ask.headers);
  const body = ask.body ?? (ask.json === undefined ? undefined : JSON.stringify(ask.json));
  if (ask.token !== undefined) headers.set('authorization', `Bearer ${ask.token}`);
  if (ask.key !== undefined) headers.set('x-api-key', ask.key);
  if (ask.address !== undefined) headers.set('x-test-address', ask.address);
  // Bytes, because a text brings a content type of its own.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (bytes !== undefined && ask.type !== null) headers.set('content-type', ask.type ?? 'application/json');
  return new Request(`${origin}${path}`, { method, headers, ...(bytes && { body: bytes as BodyInit }) });
}

/** Makes an account and signs it in. */
export async function signIn(opened: Opened, api: Api, email = 'owner@example.com'): Promise<SignedIn> {
  const { id } = await opened.service.accounts.create({ email, password: PASSWORD });
  const answer = await api.ask('POST', '/auth/login', { json: { email, password: PASSWORD } });
  expect(answer.status).toBe(200);
  return { email, account_id: id, token: text(answer, 'access_token') };
}

/** The secret and the id of a new key. */
export async function makeKey(
  api: Api,
  token: string,
  input: object = {},
): Promise<{ readonly key: string; readonly id: string }> {
  const answer = await api.ask('POST', '/keys', { token, json: { name: 'a key', ...input } });
  expect(answer.text).toContain('"key"');
  return { key: text(answer, 'key'), id: text(answer, 'id') };
}

/** The least fields of a passport. */
export const PASSPORT = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create', 'orders.*'],
  monetary_limit_per_txn: 100,
} as const;

/** Issues a passport; its `agent_id`. */
export async function issue(api: Api, token: string, input: object = {}): Promise<string> {
  const answer = await api.ask('POST', '/passports', { token, json: { ...PASSPORT, ...input } });
  expect(answer.text).toContain('"agent_id"');
  return text(answer, 'agent_id');
}

/** A text field of an answer. */
export function text({ body }: Answer, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') expect.fail(`${field} is no text in ${JSON.stringify(body)}`);
  return value;
}

/** The records of a page. */
export function dataOf({ body }: Answer): readonly Readonly<Record<string, unknown>>[] {
  return body['data'] as readonly Readonly<Record<string, unknown>>[];
}

/** Expects a problem of this status and code; the paths of its errors. */
export function expectProblem(answer: Answer, status: number, code: string): readonly string[] {
  expect({ status: answer.status, code: answer.body['code'], text: answer.text }).toMatchObject({
    status,
    code,
  });
  const errors = (answer.body['errors'] ?? []) as readonly { readonly path: string }[];
  return errors.map(({ path }) => path);
}

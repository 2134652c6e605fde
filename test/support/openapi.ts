import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

/** As much of the document as the tests read. */
export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

export interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;

/** The answer, in the terms of the document. */
export interface Answered {
  readonly method: string;
  /** Below the base path, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Holds an answer against the document and the form of errors; fails the test where they differ. */
export type AnswerCheck = (answer: Answered) => void;

/** A check by the document, compiled once per text of it. */
export function answerCheck(text: string): AnswerCheck {
  const known = checks.get(text);
  if (known !== undefined) return known;
  const check = compile(JSON.parse(text));
  checks.set(text, check);
  return check;
}

const checks = new Map<string, AnswerCheck>();

function compile(document: OpenApi): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'openapi', ...document } as AnySchema);
  const compiled = new Map<string, ValidateFunction>();
  const templates = Object.keys(document.paths).map((path) => ({
    path,
    matcher: new RegExp(
      `^${path
        .replaceAll('.', '\\.')
        .replaceAll('{place}', '.+')
        .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
    ),
  }));

  function validate(ref: string, body: unknown, what: string): void {
    const validator = compiled.get(ref) ?? ajv.compile({ $ref: `openapi${ref}` });
    compiled.set(ref, validator);
    const valid = validator(body);
    expect({ what, errors: valid ? null : validator.errors, body: valid || body }).toMatchObject({
      errors: null,
    });
  }

  return (answer) => {
    const { method, path, status, headers, text } = answer;
    const what = `${method} ${path} -> ${status} ${text.slice(0, 300)}`;
    const problem = status >= 400;
    const fixed = templates.find((template) => template.path === path);
    const template = fixed ?? templates.find(({ matcher }) => matcher.test(path));
    const operations = template && document.paths[template.path];
    const operation = operations?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
    checkHeaders(answer, what);
    // AuthZEN has messages instead of problems, as its paths are described.
    const isMessage = path.startsWith('/access/') && headers.get('content-type') === 'application/json';
    const isOauth =
      /\/(?:token|introspect)$/.test(path) && headers.get('content-type') === 'application/json';
    if (problem && isOauth) {
      validate('#/components/schemas/OauthError', JSON.parse(text), what);
      expect(text, what).not.toMatch(STACK);
    } else if (problem && isMessage) {
      validate('#/components/schemas/ErrorMessage', JSON.parse(text), what);
      expect(text, what).not.toMatch(STACK);
    } else if (problem && method !== 'HEAD') {
      validate('#/components/schemas/Problem', JSON.parse(text), what);
      checkProblem(answer, what);
    }
    if (operations === undefined) expect(status, what).toBe(404);
    else if (operation === undefined) {
      expect(status, what).toBe(405);
      const allowed = Object.keys(operations).map((name) => name.toUpperCase());
      const heads = allowed.includes('GET') ? ['HEAD'] : [];
      expect(headers.get('allow')?.split(', ').sort(), what).toEqual([...allowed, ...heads].sort());
    } else {
      const documented = operation.responses[status];
      expect(documented, `${what} is not documented`).toBeDefined();
      const [type] = Object.keys(documented?.content ?? {});
      expect(headers.get('content-type'), what).toBe(type ?? null);
      if (method === 'HEAD' || type === undefined) expect(text, what).toBe('');
      else if (type !== 'text/event-stream') {
        const body = type.endsWith('json') ? JSON.parse(text) : text;
        validate(documented?.content?.[type]?.schema.$ref ?? '', body, what);
      }
      if (problem && method !== 'HEAD' && !isMessage && !isOauth) {
        expect(documented?.description, what).toContain(`\`${JSON.parse(text).code}\``);
      }
    }
  };
}

const STACK = /node_modules|\.ts:\d|\.js:\d|\n\s+at /;

function checkHeaders({ status, headers }: Answered, what: string): void {
  // What anyone may cache says so, and has a validator, or never changes.
  const cached = headers.has('etag') && headers.has('access-control-allow-origin');
  const ofOthers = cached
    ? /^public, max-age=\d+$/
    : /^(?:no-store(?:, no-transform)?|public, max-age=\d+, immutable)$/;
  expect(headers.get('cache-control'), what).toMatch(ofOthers);
  expect(headers.get('x-request-id'), what).toMatch(/^[\x21-\x7e]{1,128}$/);
  if (status === 401) expect(headers.get('www-authenticate'), what).toMatch(/Bearer/);
  if (status === 405) expect(headers.get('allow'), what).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  if (status === 503 || status === 429) expect(headers.get('retry-after'), what).toMatch(/^[1-9]\d*$/);
}

function checkProblem({ status, headers, text }: Answered, what: string): void {
  const body = JSON.parse(text);
  expect(headers.get('content-type'), what).toBe('application/problem+json');
  expect(body.status, what).toBe(status);
  expect(body.request_id, what).toBe(headers.get('x-request-id'));
  for (const field of ['type', 'title', 'detail', 'code']) expect(body[field], what).toMatch(/^\S/);
  expect(text, what).not.toMatch(STACK);
}

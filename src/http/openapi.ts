/** Creates the OpenAPI 3.1 document of the endpoints. */
import { MAX_PROOF_LENGTH } from '../base/values/proof-format.ts';
import type { IdentityErrorCode } from '../errors.ts';
import { MEMBERS } from '../operations/roles.ts';
import { describedRequests } from '../schema/described-requests.ts';
import { type JsonSchema, ref } from '../schema/json-schema.ts';
import { responseSchemas } from '../schema/responses.ts';
import { oauthStatus } from './answer.ts';
import type { BodyDescription, Credential, Endpoint } from './endpoint.ts';
import { requestExamples, responseExamples } from './examples/examples.ts';
import { csvExample, eventsExample } from './examples/text.ts';
import { PROBLEMS, textStatus } from './problem.ts';

/** Returns the document as plain data, for a mount with or without the login of the application. */
export function openApiDocument(endpoints: readonly Endpoint[], hasHostLogin = false): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const describedSchema = operation(endpoint, hasHostLogin);
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: describedSchema };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Identity Service',
      version: '1',
      summary: 'Passports for software agents, and a verdict on what they are about to do.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to this document, so that it is right for every base path.
    servers: [{ url: '.' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...describedRequests, ...responseSchemas },
      securitySchemes: {
        session: hasHostLogin ? HOST_SESSION : { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        ...(endpoints.some(({ bearerKeys }) => bearerKeys) && { bearerKey: BEARER_KEY }),
      },
    },
  };
}

/**
 * The security scheme of an application's own login. OpenAPI cannot describe this login, because only the application
 * knows its form.
 */
const HOST_SESSION = {
  type: 'apiKey',
  in: 'header',
  name: 'Cookie',
  description: 'The login of the application around this API, in the form that the application reads.',
} as const;

const SECURITY: Readonly<Record<Credential, readonly object[]>> = {
  none: [],
  session: [{ session: [] }],
  key: [{ key: [] }],
  either: [{ session: [] }, { key: [] }],
};

const BEARER_KEY = { type: 'http', scheme: 'bearer', bearerFormat: 'API key' } as const;

const RATE_HEADERS = {
  RateLimit: {
    description:
      'The rest of the rate (r), and the seconds until the rate starts again (t): "verify";r=5999;t=42, or "write" for writes',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The rate of the plan (q) and the seconds in which it counts (w): "verify";q=6000;w=60',
    schema: { type: 'string' },
  },
} as const;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same request with the same key within 24 hours gets the same object and the same answer, without any secret.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const;

const IF_NARROWER = {
  name: 'If-Narrower',
  in: 'header',
  required: false,
  description: 'Refuses a change that would let more happen: 412 `would_widen`.',
  schema: { const: 'true' },
} as const;

const APPROVAL_ID = {
  name: 'Approval-Id',
  in: 'header',
  required: false,
  description:
    'Applies a change that other people have approved: 403 `second_person_required` names the approval.',
  schema: { type: 'string', maxLength: 128 },
} as const;

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Continues after the event of this id.',
  schema: { type: 'string' },
} as const;

const AGENT_PROOF = {
  name: 'Agent-Proof',
  in: 'header',
  required: false,
  description: 'The proof of the intent, if its member `proof` is absent.',
  schema: { type: 'string', maxLength: MAX_PROOF_LENGTH },
} as const;

function described({ scope, otherScopes = [], management }: Endpoint): { readonly description?: string } {
  const nameScopes = (scopes: readonly string[]): string => scopes.map((name) => `\`${name}\``).join(' or ');
  const managing = management === 'any' ? 'no scope' : management && `the scope ${nameScopes(management)}`;
  const texts = [
    ...(scope === undefined ? [] : [`A key needs the scope ${nameScopes([scope, ...otherScopes])}.`]),
    ...(managing === undefined ? [] : [`A management key needs ${managing}.`]),
  ];
  return texts.length === 0 ? {} : { description: texts.join(' ') };
}

function securityOf({ credential, bearerKeys, management }: Endpoint): readonly object[] {
  const isManaged = management !== undefined && credential === 'session';
  return [
    ...SECURITY[credential],
    ...(bearerKeys ? [{ bearerKey: [] }] : []),
    ...(isManaged ? SECURITY.key : []),
  ];
}

function operation(endpoint: Endpoint, hasHostLogin: boolean): JsonSchema {
  const { method, path, tag, summary, body, success } = endpoint;
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z]+([A-Za-z])?/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [tag],
    summary,
    ...described(endpoint),
    ...(endpoint.role !== undefined && { 'x-roles': endpoint.role }),
    security: securityOf(endpoint),
    ...parameters(endpoint),
    ...(body !== undefined && {
      requestBody: { required: body.optional !== true, content: contentOf(body) },
    }),
    responses: {
      [success.status]: answer(endpoint, success.description),
      ...(success.again !== undefined && { 200: answer(endpoint, success.again) }),
      ...problems(endpoint, hasHostLogin),
    },
  };
}

function answer({ success, counted, writes }: Endpoint, description: string): JsonSchema {
  return {
    description,
    ...((counted || writes) && { headers: RATE_HEADERS }),
    ...(success.events && {
      content: { 'text/event-stream': { schema: { type: 'string' }, example: eventsExample } },
    }),
    ...(success.schema !== undefined && {
      content: {
        [success.mediaType ?? 'application/json']: {
          schema: ref(success.schema),
          example: responseExamples[success.schema],
        },
        ...(success.csv && { 'text/csv': { schema: { type: 'string' }, example: csvExample } }),
      },
    }),
  };
}

function contentOf({ schema, mergePatch = false, isForm = false }: BodyDescription): JsonSchema {
  const content = { schema: ref(schema), example: requestExamples[schema] };
  if (isForm) return { 'application/x-www-form-urlencoded': content };
  return { 'application/json': content, ...(mergePatch && { 'application/merge-patch+json': content }) };
}

function parameters({
  path,
  query = [],
  idempotent = false,
  proved = false,
  narrowable = false,
  approvable = false,
  success,
}: Endpoint): JsonSchema {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = query.map(({ name, description, schema }) => ({
    name,
    description,
    schema,
    in: 'query',
  }));
  const inHeader = [
    ...(idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(proved ? [AGENT_PROOF] : []),
    ...(narrowable ? [IF_NARROWER] : []),
    ...(approvable ? [APPROVAL_ID] : []),
    ...(success.events ? [LAST_EVENT_ID] : []),
  ];
  const list = [...inPath, ...inQuery, ...inHeader];
  return list.length === 0 ? {} : { parameters: list };
}

function problems(endpoint: Endpoint, hasHostLogin: boolean): JsonSchema {
  const byStatus = new Map<number, IdentityErrorCode[]>();
  for (const code of errorsOf(endpoint, hasHostLogin)) {
    const { status: usual } = PROBLEMS[code];
    const status = STATUS_AS[endpoint.errorsAs ?? 'problem'](usual, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
        content: ERROR_CONTENT[endpoint.errorsAs ?? 'problem'],
      },
    ]),
  );
}

const STATUS_AS = {
  problem: (usual: number): number => usual,
  text: textStatus,
  oauth: oauthStatus,
} as const;

const ERROR_CONTENT = {
  problem: { 'application/problem+json': { schema: ref('Problem') } },
  text: { 'application/json': { schema: ref('ErrorMessage') } },
  oauth: { 'application/json': { schema: ref('OauthError') } },
} as const;

function errorsOf(endpoint: Endpoint, hasHostLogin: boolean): readonly IdentityErrorCode[] {
  const codes = new Set<IdentityErrorCode>(['internal', 'storage_unavailable', 'headers_too_large']);
  // A credential that is sent twice is `invalid_request`.
  if (endpoint.credential !== 'none') codes.add('unauthenticated').add('invalid_request');
  // A management key without the right scope may come to every endpoint that a person may call.
  if (endpoint.scope !== undefined || endpoint.role !== undefined) codes.add('insufficient_scope');
  if (endpoint.role !== undefined && endpoint.role !== MEMBERS) codes.add('insufficient_role');
  if (hasHostLogin && endpoint.role !== undefined && endpoint.method !== 'GET') codes.add('cross_origin');
  if (endpoint.body !== undefined) {
    codes.add('invalid_json').add('invalid_request').add('payload_too_large').add('unsupported_media_type');
  }
  if (endpoint.query !== undefined) codes.add('invalid_request');
  const isLimited = endpoint.counted || endpoint.writes || endpoint.limit !== undefined;
  if (isLimited || endpoint.management !== undefined) codes.add('rate_limited');
  if (endpoint.idempotent) codes.add('idempotency_mismatch').add('conflict');
  for (const code of endpoint.errors ?? []) codes.add(code);
  return [...codes];
}

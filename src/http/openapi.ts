/** The OpenAPI 3.1 document of the table. */
import type { IdentityErrorCode } from '../errors.ts';
import { type JsonSchema, ref } from '../schema/json-schema.ts';
import { describedRequests } from '../schema/requests.ts';
import { responseSchemas } from '../schema/responses.ts';
import type { BodyDescription, Credential, Endpoint } from './endpoint.ts';
import { csvExample, requestExamples, responseExamples } from './examples.ts';
import { PROBLEMS } from './problem.ts';

/** The document, as plain data. */
export function openApiDocument(endpoints: readonly Endpoint[]): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Identity Service',
      version: '1',
      summary: 'Passports for software agents, and a verdict on what they are about to do.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to this document, wherever the API is mounted.
    servers: [{ url: '.' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...describedRequests, ...responseSchemas },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  };
}

const SECURITY: Readonly<Record<Credential, readonly object[]>> = {
  none: [],
  session: [{ session: [] }],
  key: [{ key: [] }],
  either: [{ session: [] }, { key: [] }],
};

const RATE_HEADERS = {
  RateLimit: {
    description: 'What is left of the rate, and the seconds until it starts again: "verify";r=5999;t=42',
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
    'The same request under it within 24 hours gives the same object and the same answer, without any secret.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const;

function operation(endpoint: Endpoint): JsonSchema {
  const { method, path, tag, summary, credential, scope, body, success } = endpoint;
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z]+([A-Za-z])?/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [tag],
    summary,
    ...(scope !== undefined && { description: `A key needs the scope \`${scope}\`.` }),
    security: SECURITY[credential],
    ...parameters(endpoint),
    ...(body !== undefined && {
      requestBody: { required: body.optional !== true, content: contentOf(body) },
    }),
    responses: {
      [success.status]: {
        description: success.description,
        ...(endpoint.counted && { headers: RATE_HEADERS }),
        ...(success.schema !== undefined && {
          content: {
            'application/json': { schema: ref(success.schema), example: responseExamples[success.schema] },
            ...(success.csv && { 'text/csv': { schema: { type: 'string' }, example: csvExample } }),
          },
        }),
      },
      ...problems(endpoint),
    },
  };
}

function contentOf({ schema, mergePatch = false }: BodyDescription): JsonSchema {
  const content = { schema: ref(schema), example: requestExamples[schema] };
  return { 'application/json': content, ...(mergePatch && { 'application/merge-patch+json': content }) };
}

function parameters({ path, query = [], idempotent = false }: Endpoint): JsonSchema {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = query.map(({ accepts: _, ...parameter }) => ({ ...parameter, in: 'query' }));
  const all = [...inPath, ...inQuery, ...(idempotent ? [IDEMPOTENCY_KEY] : [])];
  return all.length === 0 ? {} : { parameters: all };
}

function problems(endpoint: Endpoint): JsonSchema {
  const byStatus = new Map<number, IdentityErrorCode[]>();
  for (const code of errorsOf(endpoint)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
        content: { 'application/problem+json': { schema: ref('Problem') } },
      },
    ]),
  );
}

/** Every code an endpoint can answer: those it names, and those its door and its body bring. */
function errorsOf(endpoint: Endpoint): readonly IdentityErrorCode[] {
  const codes = new Set<IdentityErrorCode>(['internal', 'storage_unavailable', 'headers_too_large']);
  // A credential that comes twice is no valid request.
  if (endpoint.credential !== 'none') codes.add('unauthenticated').add('invalid_request');
  if (endpoint.scope !== undefined) codes.add('insufficient_scope');
  if (endpoint.body !== undefined) {
    codes.add('invalid_json').add('invalid_request').add('payload_too_large').add('unsupported_media_type');
  }
  if (endpoint.query !== undefined) codes.add('invalid_request');
  if (endpoint.counted) codes.add('rate_limited');
  if (endpoint.idempotent) codes.add('idempotency_mismatch').add('conflict');
  for (const code of endpoint.errors ?? []) codes.add(code);
  return [...codes];
}

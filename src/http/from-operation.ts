import { trimWhiteSpace } from '../base/values/white-space.ts';
import type { IdentityService, ReplayOptions, SessionCaller, UpdateOptions } from '../core.ts';
import { wrongField } from '../errors.ts';
import {
  type HeaderOption,
  managementOf,
  type Operation,
  type OperationTable,
  optionsPlace,
  parametersIn,
} from '../operations/operation.ts';
import type { QueryParameter } from '../operations/parameters.ts';
import type { DescribedRequestName } from '../schema/described-requests.ts';
import type { RoomName } from './api-host.ts';
import { type BodyDescription, type Call, type Endpoint, endpoint, type Reply } from './endpoint.ts';
import { headerOf } from './exchange.ts';
import { withBoundedTrial } from './read-proof.ts';
import { csvReply, replayable, wantsCsv } from './replies.ts';

type Method = (...input: readonly unknown[]) => Promise<unknown>;
type Methods = Readonly<Record<string, Method>>;
type Answered = (call: Call<'session'>, options: object) => Promise<Reply>;

export function endpointsOf(table: OperationTable): readonly Endpoint[] {
  return Object.entries(table.operations)
    .filter(([, { isCsv }]) => isCsv !== true)
    .map(([name, operation]) => fromOperation(table, name, operation));
}

function fromOperation(table: OperationTable, name: string, operation: Operation): Endpoint {
  const [method, path] = operation.http.split(' ') as [Endpoint['method'], string];
  const { room, tag } = table;
  const { summary, roles, scope, otherScopes, login, body } = operation;
  const { headers = [], status, answer, returns, errors, counts, limit, isPatient } = operation;
  const query = parametersIn(operation);
  const management = managementOf(table, operation);
  const hasCsv = Object.values(table.operations).some(({ isCsv, http }) => isCsv && http === operation.http);
  return endpoint({
    method,
    path,
    room: (room === '' ? name : room) as RoomName,
    tag,
    summary,
    credential: scope === undefined ? 'session' : 'either',
    role: roles,
    needs: ({ serving }, hasHostLogin = false) =>
      serving.tables.includes(table) &&
      (login === undefined || serving.logins || (login === 'any' && hasHostLogin)),
    success: {
      status,
      description: returns,
      ...(answer !== undefined && { schema: answer }),
      ...(hasCsv && { csv: true }),
    },
    handle: handlerOf(table, name, hasCsv),
    ...(login === 'own' && { ownLogin: true }),
    ...(scope !== undefined && { scope }),
    ...(otherScopes !== undefined && { otherScopes }),
    ...(management !== undefined && { management }),
    ...(counts === 'write' && { writes: true }),
    ...(limit !== undefined && { limit: ({ serving }, caller) => serving[COUNTERS[limit]](caller) }),
    ...(body !== undefined && { body: bodyOf(body, operation) }),
    ...(query.length > 0 && { query }),
    ...headerFlags(headers),
    ...(isPatient && { patient: true }),
    ...(errors !== undefined && { errors }),
  } as Endpoint<'session'>);
}

function headerFlags(headers: readonly HeaderOption[]) {
  return {
    ...(headers.includes('Idempotency-Key') && { idempotent: true }),
    ...(headers.includes('If-Narrower') && { narrowable: true }),
    ...(headers.includes('Approval-Id') && { approvable: true }),
  };
}

function bodyOf(
  schema: NonNullable<Operation['body']>,
  { isBodyOptional, isMergePatch }: Operation,
): BodyDescription {
  return {
    schema,
    ...(isBodyOptional && { optional: true }),
    ...(isMergePatch && { mergePatch: true }),
  };
}

const COUNTERS = { effective: 'countEffective', try: 'countTry' } as const;

function handlerOf(table: OperationTable, name: string, hasCsv: boolean): Endpoint<'session'>['handle'] {
  const operation = table.operations[name] as Operation;
  const { isAbortable, headers = [], bodyLimit, options = [] } = operation;
  const answer = hasCsv
    ? csvOr(table, answererOf(table, name, operation))
    : answererOf(table, name, operation);

  async function answerOf(call: Call<'session'>): Promise<Reply> {
    const input = {
      ...call.caller,
      ...(isAbortable && { signal: call.signal() }),
      ...(options.includes('client') && { client: call.client() }),
      ...call.once,
      ...optionsIn(headers, call.rawHeaders),
    };
    if (!options.includes('onReplayed')) return answer(call, input);
    return replayable(
      input as ReplayOptions,
      async (options) => (await answer(call, { ...input, ...options })).body,
    );
  }

  return async (call) => {
    if (bodyLimit === undefined) return answerOf(call);
    const end = call.service.serving.limits[bodyLimit]?.(call.caller as SessionCaller, call.body);
    try {
      return await answerOf(call);
    } finally {
      end?.();
    }
  };
}

function answererOf({ room }: OperationTable, name: string, operation: Operation): Answered {
  const ids = [...operation.http.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? '');
  const query = parametersIn(operation);
  const hasQuery = operation.query !== undefined;
  const { body: schema, status, hasEtag } = operation;
  const check = schema === undefined ? undefined : BODY_CHECKS[schema];
  return async ({ service, params, query: givenInput, body }, options) => {
    const input = [
      ...ids.map((parameter) => params[parameter] ?? ''),
      ...(hasQuery ? [inputOf(givenInput, query)] : []),
      ...(schema === undefined ? [] : [check === undefined ? body : check(body)]),
    ];
    const answer = await methodsOf(service, room)[name]?.(
      ...input.slice(0, optionsPlace(operation)),
      options,
    );
    if (status === 204) return {};
    const etag = hasEtag && { headers: { etag: `"${Object(answer).version}"` } };
    return { body: answer, ...etag };
  };
}

/** The checks that only the HTTP API makes. In process, a proof that is too long leads to a `DENY` instead. */
const BODY_CHECKS: { readonly [Name in DescribedRequestName]?: (body: unknown) => unknown } = {
  TryRequest: withBoundedTrial,
};

function csvOr({ room, operations }: OperationTable, answer: Answered): Answered {
  const parameters = parametersIn(operations['csv'] as Operation);
  return async (call, options) => {
    const { service, query, rawHeaders } = call;
    if (!wantsCsv(headerOf(rawHeaders, 'accept'))) return answer(call, options);
    const text = await methodsOf(service, room)['csv']?.(inputOf(query, parameters), options);
    return csvReply(room, text as AsyncIterable<string>, query['bom']);
  };
}

function methodsOf(service: IdentityService, room: string): Methods {
  return Object(room === '' ? service : service[room as keyof IdentityService]);
}

function inputOf(
  query: Readonly<Record<string, string>>,
  parameters: readonly QueryParameter[],
): Readonly<Record<string, unknown>> {
  const namedParameters = parameters.filter(
    ({ name, isOfHttp }) => query[name] !== undefined && isOfHttp !== true,
  );
  return Object.fromEntries(
    namedParameters.map((parameter) => [parameter.name, argumentOf(parameter, query)]),
  );
}

function argumentOf(
  { name, schema, isFlag }: QueryParameter,
  query: Readonly<Record<string, string>>,
): unknown {
  const text = query[name] ?? '';
  if (isFlag) return text === '1';
  if (schema['type'] === 'boolean') return text === 'true';
  return schema['type'] === 'integer' ? Number(text) : text;
}

const READERS: { readonly [Name in HeaderOption]?: (header: string | undefined) => object } = {
  'If-Match': readIfMatch,
  'If-Narrower': readIfNarrower,
  'Approval-Id': readApprovalId,
};

function optionsIn(headers: readonly HeaderOption[], rawHeaders: readonly string[]): object {
  return Object.assign(
    {},
    ...headers.map((name) => READERS[name]?.(headerOf(rawHeaders, name.toLowerCase()))),
  );
}

const APPROVAL_ID = /^[\x21-\x2b\x2d-\x7e]{1,128}$/;

function readApprovalId(header: string | undefined): Pick<UpdateOptions, 'approvalId'> {
  if (header === undefined) return {};
  if (APPROVAL_ID.test(header)) return { approvalId: header };
  const message = 'Approval-Id must be the id of one approval.';
  throw wrongField('', 'malformed', message);
}

/**
 * Reads `If-Narrower`.
 *
 * @throws {IdentityError} `invalid_request` for any value except `true`, because the condition of the client must not
 * be ignored.
 */
function readIfNarrower(header: string | undefined): Pick<UpdateOptions, 'ifNarrower'> {
  if (header === undefined) return {};
  if (header !== 'true') {
    throw wrongField('', 'malformed', 'If-Narrower must be true.');
  }
  return { ifNarrower: true };
}

/**
 * Matches the next part of a list of entity-tags (RFC 9110 section 8.8.3): a tag, a comma, white space, or any other
 * character. The text of a tag may contain commas.
 */
const TOKEN = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"|,|[ \t]+|(.)/gs;

/**
 * Reads `If-Match` (RFC 9110 section 13.1.1). Returns the versions that may be changed. Weak tags never match.
 *
 * @throws {IdentityError} `invalid_request` for a malformed header, because the condition of the client must not be
 * ignored.
 */
function readIfMatch(header: string | undefined): UpdateOptions {
  if (header === undefined || trimWhiteSpace(header) === '*') return {};
  const strong: string[] = [];
  let tags = 0;
  let isBehindTag = false;
  for (const [token, weak, tag, otherToken] of header.matchAll(TOKEN)) {
    if (otherToken !== undefined || (tag !== undefined && isBehindTag)) throw malformed();
    if (token === ',') isBehindTag = false;
    if (tag === undefined) continue;
    isBehindTag = true;
    tags += 1;
    if (weak === undefined) strong.push(tag);
  }
  // A list may have empty elements (RFC 9110 section 5.6.1), but must have one tag.
  if (tags === 0) throw malformed();
  return { ifVersion: strong.filter((tag) => /^[1-9]\d{0,15}$/.test(tag)).map(Number) };
}

function malformed(): Error {
  return wrongField('', 'malformed', 'If-Match must be * or a list of ETags.');
}

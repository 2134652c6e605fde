/** The types of operations and of tables of operations. An operation is a method of an account. */

import { MANAGEMENT_SCOPES } from '../base/values/scopes.ts';
import type { IdentityErrorCode } from '../errors.ts';
import type { ManagementScope, Scope, VerdictScope } from '../records.ts';
import type { DescribedRequestName } from '../schema/described-requests.ts';
import type { ResponseName } from '../schema/responses.ts';
import { PAGE, type QueryParameter } from './parameters.ts';
import type { RoleEntry } from './roles.ts';

/** A header that carries an option of the method. */
export type HeaderOption = 'Idempotency-Key' | 'If-Match' | 'If-Narrower' | 'Approval-Id';

/** The name of the method option for each header. */
export const OPTION_OF: Readonly<Record<HeaderOption, string>> = {
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'ifVersion',
  'If-Narrower': 'ifNarrower',
  'Approval-Id': 'approvalId',
};

/** The heading of a group of operations in OpenAPI and the reference. */
export type Tag =
  | 'Verdicts'
  | 'Approvals'
  | 'AuthZEN'
  | 'Passports'
  | 'Domains'
  | 'Keys'
  | 'Accounts'
  | 'Members'
  | 'Insight'
  | 'Evidence'
  | 'Webhooks'
  | 'Access tokens'
  | 'Service';

/**
 * An operation of an account. The first arguments of its method are the parameters of the path, in order. Then come the
 * body or the query, then the options.
 */
export interface Operation {
  /** The method and the path: `POST /webhooks/{id}/rotate`. */
  readonly http: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  /** The action in one imperative sentence, which OpenAPI shows. */
  readonly summary: string;
  /** The roles that may call the operation with a session. */
  readonly roles: readonly RoleEntry[];
  /** The scope that an API key for verdicts needs. Absent: no such key may call the operation. */
  readonly scope?: VerdictScope;
  /** Further scopes, each of which is enough instead of `scope`. */
  readonly otherScopes?: readonly VerdictScope[];
  /**
   * The scope that a management key needs. Default: `<room>:read` for GET and `<room>:write` for other methods, if
   * there is such a scope. `any`: every management key may call it. `null`: no management key may call it.
   */
  readonly managementScope?: ManagementScope | 'revoke' | 'reinstate' | 'any' | null;
  /**
   * `own`: the operation exists if people sign in at the service itself. `any`: the operation also exists with the
   * login of the application.
   */
  readonly login?: 'own' | 'any';
  /** The name of the schema of the JSON body. */
  readonly body?: DescribedRequestName;
  /** `true` if the body may be absent. */
  readonly isBodyOptional?: true;
  /** `true` if the body may come as a JSON Merge Patch (RFC 7396). */
  readonly isMergePatch?: true;
  /** The parameters of the query. With `cursor`, the method returns all pages. `page`: only `limit` and `cursor`. */
  readonly query?: 'page' | readonly QueryParameter[];
  /** The headers that carry options of the method. */
  readonly headers?: readonly HeaderOption[];
  readonly status: 200 | 201 | 202 | 204;
  /** The name of the schema of the answer. Absent with status 204. */
  readonly answer?: ResponseName;
  /** The result of a successful call, in one sentence. */
  readonly returns: string;
  /** The fields that an answer must have. A client rejects any other answer. */
  readonly has?: readonly string[];
  /** The field that only the first answer for an idempotency key has. */
  readonly secret?: string;
  /** `true` if the header `ETag` contains the version of the answer. */
  readonly hasEtag?: true;
  /** `true` if the method returns as CSV the records that another operation with the same path returns as JSON. */
  readonly isCsv?: true;
  /** The error codes in addition to the codes of the credential, the body and the server. */
  readonly errors?: readonly IdentityErrorCode[];
  /** `write`: the call counts as one of the plan's writes per minute. */
  readonly counts?: 'write';
  /** The name of another limit, which counts a call before its body is read. */
  readonly limit?: 'effective' | 'try';
  /** The name of a limit that depends on the body. `replay` counts replays; an account may run one at a time. */
  readonly bodyLimit?: 'replay';
  /** `true` if the call may take longer than the deadline of other requests. */
  readonly isPatient?: true;
  /** `true` if the work stops if the client disconnects. */
  readonly isAbortable?: true;
  /**
   * The names of options that only callers in process can set. HTTP requests cannot set them. The HTTP code
   * itself sets `client` and `onReplayed`.
   */
  readonly options?: readonly string[];
}

/**
 * A table with a row for each method of an object such as `service.webhooks`. If a method has no row, the code does not
 * compile.
 */
export interface TableOf<Room, Name extends string = string> {
  /** The name of the object, such as `webhooks` for `service.webhooks`. `''` stands for the service itself. */
  readonly room: Name;
  readonly tag: Tag;
  readonly operations: { readonly [Method in keyof Room & string]: Operation };
  /** Only carries the type of the methods. It is never set. */
  readonly types?: Room | undefined;
}

/** A table of operations, of any object. */
export interface OperationTable extends Pick<TableOf<object>, 'room' | 'tag'> {
  readonly operations: Readonly<Record<string, Operation>>;
}

/**
 * Returns the scopes of which a management key needs one. Returns `undefined` if no management key may call the
 * operation.
 */
export function managementOf(
  { room }: Pick<OperationTable, 'room'>,
  { http, managementScope }: Operation,
): readonly Scope[] | 'any' | undefined {
  if (managementScope === 'any') return 'any';
  if (managementScope !== undefined) return managementScope === null ? undefined : [managementScope];
  const name = `${room}:${http.startsWith('GET ') ? 'read' : 'write'}`;
  const scope = MANAGEMENT_SCOPES.find((scope) => scope === name);
  return scope && [scope];
}

/** Returns the number of parameters of the path, which are the first arguments. */
export function idsOf({ http }: Operation): number {
  return http.split('{').length - 1;
}

/** Returns the number of arguments before the options: the parameters of the path, and the body or the query. */
export function optionsPlace(operation: Operation): number {
  const { body, query } = operation;
  return idsOf(operation) + (body === undefined && query === undefined ? 0 : 1);
}

/** Returns the parameters of the query. */
export function parametersIn({ query = [] }: Operation): readonly QueryParameter[] {
  return query === 'page' ? PAGE : query;
}

/** Returns `true` if the method returns pages. */
export function isPaged(operation: Operation): boolean {
  return parametersIn(operation).some(({ name }) => name === 'cursor');
}

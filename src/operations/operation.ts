/** The types of an operation of an account, and of a table of them. */

import { MANAGEMENT_SCOPES } from '../base/values/scopes.ts';
import type { IdentityErrorCode } from '../errors.ts';
import type { ManagementScope, Scope, VerdictScope } from '../records.ts';
import type { DescribedRequestName } from '../schema/described-requests.ts';
import type { ResponseName } from '../schema/responses.ts';
import { PAGE, type QueryParameter } from './parameters.ts';
import type { RoleEntry } from './roles.ts';

/** A header that carries an option of the method. */
export type HeaderOption = 'Idempotency-Key' | 'If-Match' | 'If-Narrower' | 'Approval-Id';

/** The option of the method that each header carries. */
export const OPTION_OF: Readonly<Record<HeaderOption, string>> = {
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'ifVersion',
  'If-Narrower': 'ifNarrower',
  'Approval-Id': 'approvalId',
};

/** The heading of operations in OpenAPI and the reference. */
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
 * An operation of an account. Its method has the parameters of the path as its first arguments, in order, then the body
 * or the query, then the options.
 */
export interface Operation {
  /** The method and the path: `POST /webhooks/{id}/rotate`. */
  readonly http: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  /** The action in one imperative sentence. OpenAPI shows it. */
  readonly summary: string;
  /** The roles that may call it with a session. */
  readonly roles: readonly RoleEntry[];
  /** The scope that a verdict key needs; absent: no verdict key may call it. */
  readonly scope?: VerdictScope;
  /** Scopes of which each is enough instead of `scope`. */
  readonly otherScopes?: readonly VerdictScope[];
  /**
   * The scope that a management key needs. Default: `<room>:read` for GET, else `<room>:write`, if there is such a
   * scope. With `any` each management key may call it, and with `null` no management key.
   */
  readonly managementScope?: ManagementScope | 'revoke' | 'reinstate' | 'any' | null;
  /** `own`: served if people sign in at the service itself. `any`: served even if the application lends its login. */
  readonly login?: 'own' | 'any';
  /** The name of the schema of the JSON body. */
  readonly body?: DescribedRequestName;
  /** `true` if the body may be absent. */
  readonly isBodyOptional?: true;
  /** `true` if the body may come as a JSON Merge Patch (RFC 7396). */
  readonly isMergePatch?: true;
  /** The parameters of the query; with `cursor` the method returns all pages. `page`: only `limit` and `cursor`. */
  readonly query?: 'page' | readonly QueryParameter[];
  /** The headers that carry options of the method. */
  readonly headers?: readonly HeaderOption[];
  readonly status: 200 | 201 | 202 | 204;
  /** The name of the schema of the answer; absent with 204. */
  readonly answer?: ResponseName;
  /** The result of success, in one sentence. */
  readonly returns: string;
  /** The fields that an answer must have. A client rejects any other answer. */
  readonly has?: readonly string[];
  /** The field that only the first answer under an idempotency key has. */
  readonly secret?: string;
  /** `true` if the header `ETag` has the version of the answer. */
  readonly hasEtag?: true;
  /** `true` if the method is the answer in CSV of the row with the same path. */
  readonly isCsv?: true;
  /** The error codes that the credential, the body and the server do not have. */
  readonly errors?: readonly IdentityErrorCode[];
  /** `write`: the call counts against the writes per minute of the plan. */
  readonly counts?: 'write';
  /** The name of another limit, which counts a call before its body is read. */
  readonly limit?: 'effective' | 'try';
  /** The name of a limit that depends on the body: `replay` counts replays, of which an account may run one at a time. */
  readonly bodyLimit?: 'replay';
  /** `true` if the call may take longer than the deadline of other requests. */
  readonly isPatient?: true;
  /** `true` if the work ends when the client disconnects. */
  readonly isAbortable?: true;
  /** The names of options that only callers in process have. HTTP passes `client` and `onReplayed`. */
  readonly options?: readonly string[];
}

/** A table with a row for each method of a room. A method without a row does not compile. */
export interface TableOf<Room, Name extends string = string> {
  /**
   * The name of the room, such as `webhooks` for `service.webhooks`. `''` stands for the methods of the service
   * itself.
   */
  readonly room: Name;
  readonly tag: Tag;
  readonly operations: { readonly [Method in keyof Room & string]: Operation };
  /** Carries the type of the methods. It is never set. */
  readonly types?: Room | undefined;
}

/** A table of any room. */
export interface OperationTable extends Pick<TableOf<object>, 'room' | 'tag'> {
  readonly operations: Readonly<Record<string, Operation>>;
}

/** Returns the scopes of which a management key needs one; `undefined` if none may call the operation. */
export function managementOf(
  { room }: Pick<OperationTable, 'room'>,
  { http, managementScope }: Operation,
): readonly Scope[] | 'any' | undefined {
  if (managementScope === 'any') return 'any';
  if (managementScope !== undefined) return managementScope === null ? undefined : [managementScope];
  const name = `${room}:${http.startsWith('GET ') ? 'read' : 'write'}`;
  const scope = MANAGEMENT_SCOPES.find((known) => known === name);
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

/** Says whether the method returns pages. */
export function isPaged(operation: Operation): boolean {
  return parametersIn(operation).some(({ name }) => name === 'cursor');
}

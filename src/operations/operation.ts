/** The types of an operation of an account, and of a table of them. */
import type { IdentityErrorCode } from '../errors.ts';
import type { Role, Scope } from '../records.ts';
import type { DescribedRequestName } from '../schema/described-requests.ts';
import type { ResponseName } from '../schema/responses.ts';

/** An entry of the roles of an operation: a role, or `self`, the member that the path names as `{id}`. */
export type RoleEntry = Role | 'self';

/** A query parameter. Its value is text, which the service validates. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Rejects values that the schema cannot exclude, so that one error names them together with all others. */
  readonly accepts?: (value: string) => boolean;
  /** `true` if the parameter may have an empty value. */
  readonly mayBeEmpty?: boolean;
}

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
  /** The scope that a key needs; absent: no key may call it. */
  readonly scope?: Scope;
  /** The name of the schema of the JSON body. */
  readonly body?: DescribedRequestName;
  /** `true` if the body may be absent. */
  readonly isBodyOptional?: true;
  /** `page`: the operation takes `limit` and `cursor`, and its method returns all pages. */
  readonly query?: 'page';
  readonly status: 200 | 201 | 202 | 204;
  /** The name of the schema of the answer; absent with 204. */
  readonly answer?: ResponseName;
  /** The result of success, in one sentence. */
  readonly returns: string;
  /** The fields that an answer must have. A client rejects any other answer. */
  readonly has?: readonly string[];
  /** The error codes that the credential, the body and the server do not have. */
  readonly errors?: readonly IdentityErrorCode[];
  /** `write`: the call counts against the writes per minute of the plan. */
  readonly counts?: 'write';
  /** The name of another limit: `replay` counts replays, of which an account may run one at a time. */
  readonly limit?: 'replay';
  /** `true` if the call may take longer than the deadline of other requests. */
  readonly isPatient?: true;
  /** `true` if the work ends when the client disconnects. */
  readonly isAbortable?: true;
  /** The names of options that only callers in process have. */
  readonly options?: readonly string[];
}

/** A table with a row for each method of a room. A method without a row does not compile. */
export interface TableOf<Room, Name extends string = string> {
  /** The name of the room, such as `webhooks` for `service.webhooks`. */
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

/** Returns the number of arguments before the options: the parameters of the path, and the body or the query. */
export function optionsPlace({ http, body, query }: Operation): number {
  const inPath = http.split('{').length - 1;
  return inPath + (body === undefined && query === undefined ? 0 : 1);
}

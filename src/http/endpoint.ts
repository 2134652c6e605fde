/** The type of an endpoint: one object with everything that is needed to serve and to describe it. */

import type { CallerOrigin, IdentityService, KeyCaller, OnceOptions, SessionCaller } from '../core.ts';
import type { HostDomainRooms } from '../domains/index.ts';
import type { IdentityErrorCode } from '../errors.ts';
import type { HostIdentityRooms } from '../identity/rooms.ts';
import type { Tag } from '../operations/operation.ts';
import type { QueryParameter } from '../operations/parameters.ts';
import type { RoleEntry } from '../operations/roles.ts';
import type { Scope } from '../records.ts';
import type { DescribedRequestName } from '../schema/described-requests.ts';
import type { ResponseName } from '../schema/responses.ts';
import type { RoomName, ServedService } from './api-host.ts';

/** The credential that an endpoint needs. `either` is a session, or an API key with the scope. */
export type Credential = 'none' | 'session' | 'key' | 'either';

/** The type of the caller, by the credential that an endpoint needs. */
export interface Callers {
  readonly none: undefined;
  readonly session: SessionCaller;
  readonly key: KeyCaller;
  readonly either: SessionCaller | KeyCaller;
}

/**
 * One call of an endpoint. Its caller is authenticated. Its body is parsed but not validated, because the service
 * validates it.
 */
export interface Call<Kind extends Credential> {
  readonly service: ServedService;
  readonly caller: Callers[Kind];
  /** The text of the credential, for endpoints that revoke it. */
  readonly credential: string;
  /** Path parameters, percent-decoded once. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
  readonly body: unknown;
  /** Returns the client, for limits by address. */
  readonly client: () => CallerOrigin;
  /** Returns a signal that is aborted if the client disconnects, for work that may take long. */
  readonly signal: () => AbortSignal;
  /** The `Idempotency-Key` of an endpoint that accepts the header. */
  readonly once: OnceOptions;
  /**
   * Counts further verifications against the rate of the plan, if the endpoint is `counted`.
   *
   * @throws {IdentityError} `rate_limited` above the rate.
   */
  readonly count: (verifications: number) => void;
  /** The id that the answer has as `X-Request-ID`. */
  readonly requestId: string;
  /** The OpenAPI document of the endpoints on this mount. */
  readonly document: SharedDocument;
}

/**
 * The reply of an endpoint, with the status `success.status`. A text or a stream is sent unchanged, any other value as
 * JSON.
 */
export interface Reply {
  /** `true` if the client already has the current version. The answer is then 304, without a body. */
  readonly notModified?: boolean;
  /** The status 200 instead of `success.status`. `success.again` describes it. */
  readonly status?: 200;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates the reply with a document that is the same for all callers, for a client with these headers. */
export type SharedDocument = (rawHeaders: readonly string[]) => Promise<Reply>;

/** The JSON body of an endpoint. */
export interface BodyDescription {
  readonly schema: DescribedRequestName;
  /** `true` if the body may be absent; it then counts as `{}`. */
  readonly optional?: boolean;
  /** `true` if the endpoint also accepts application/merge-patch+json (RFC 7396). */
  readonly mergePatch?: boolean;
  /** `true` if the body is a form: `application/x-www-form-urlencoded`. */
  readonly isForm?: boolean;
  /** The maximum size of the body in bytes; default 64 KiB. */
  readonly maxBytes?: number;
  /** The maximum number of members in all objects and arrays of the body together; default 1,000. */
  readonly maxMembers?: number;
}

/** The roles of an endpoint. Required if a session may call it, otherwise absent. */
export type RolesOf<Kind extends Credential> = Kind extends 'session' | 'either'
  ? {
      /** The roles that may call the endpoint with a session. An API key is limited only by its scopes. */
      readonly role: readonly RoleEntry[];
    }
  : { readonly role?: never };

/** One endpoint of the API. */
export type Endpoint<Kind extends Credential = Credential> = EndpointFields<Kind> & RolesOf<Kind>;

/** The fields of an endpoint that do not depend on its credential. */
export interface EndpointFields<Kind extends Credential> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the base path, such as `/passports/{agent_id}`. */
  readonly path: string;
  /** `true` if the last parameter takes the rest of the path unchanged, including slashes. */
  readonly takesRest?: boolean;
  /**
   * The method that the endpoint calls, or the property that contains the method. The endpoint exists if the
   * application has this method. `null`: the endpoint calls no method.
   */
  readonly room: RoomName | null;
  readonly tag: Tag;
  readonly summary: string;
  readonly credential: Kind;
  /** The scope that an API key needs. */
  readonly scope?: Scope;
  /**
   * The scopes of which a management key needs one. `any`: a management key needs no scope. Absent: no management key
   * may call the endpoint.
   */
  readonly management?: readonly Scope[] | 'any';
  /** `true` if an API key may also come as `Authorization: Bearer`. */
  readonly bearerKeys?: boolean;
  /**
   * The format of errors that are not problem documents. `text` sends the message as a JSON string, with 400 instead of
   * 415 (AuthZEN section 10.1.2). `oauth` sends the format of RFC 6749 section 5.2.
   */
  readonly errorsAs?: 'text' | 'oauth';
  /** Further scopes, each of which is enough instead of `scope`. */
  readonly otherScopes?: readonly Scope[];
  readonly query?: readonly QueryParameter[];
  readonly body?: BodyDescription;
  /** `true` if the endpoint accepts an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** `true` if the proof of possession of an intent may also come in the header `Agent-Proof`. */
  readonly proved?: boolean;
  /** `true` if the endpoint reads the header `If-Narrower`. */
  readonly narrowable?: boolean;
  /** `true` if the endpoint reads the header `Approval-Id`. */
  readonly approvable?: boolean;
  /** `true` if a call may take longer than the deadline of other requests, because it waits in a queue or reads much. */
  readonly patient?: boolean;
  /** `true` if a call counts against the plan's limit of verifications before its body is read. For API keys only. */
  readonly counted?: boolean;
  /** `true` if a call counts against the plan's limit of writes before its body is read. */
  readonly writes?: boolean;
  /**
   * Counts a call against another limit before its body is read.
   *
   * @throws {IdentityError} `rate_limited` above the limit.
   */
  readonly limit?: (service: IdentityService, caller: Callers[Kind]) => void;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema?: ResponseName;
    /** The description of the status 200, if the answer may be an existing object instead of a new one. */
    readonly again?: string;
    /** The media type of the body; default application/json. */
    readonly mediaType?: string;
    /** `true` if the endpoint only answers text/event-stream. */
    readonly events?: boolean;
    /** `true` if the endpoint can also answer text/csv. */
    readonly csv?: boolean;
  };
  /** The error codes in addition to the codes that follow from the credential, the body and the server. */
  readonly errors?: readonly IdentityErrorCode[];
  /**
   * Returns `true` if this service offers the endpoint, on a mount with or without the login of the application.
   * Otherwise its path does not exist.
   */
  readonly needs?: (
    service: IdentityService & Partial<HostDomainRooms & Pick<HostIdentityRooms, 'signing'>>,
    hasHostLogin?: boolean,
  ) => boolean;
  /**
   * `true` if the endpoint belongs to logins of the service. It does not exist on a mount with the login of the
   * application.
   */
  readonly ownLogin?: boolean;
  /**
   * Answers a call.
   *
   * @throws {IdentityError} The error to answer with. HTTP answers `internal` for any other error.
   */
  handle(call: Call<Kind>): Promise<Reply>;
}

export function endpoint<Kind extends Credential>(definition: Endpoint<Kind>): Endpoint {
  return definition as unknown as Endpoint;
}

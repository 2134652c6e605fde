/** The type of an endpoint: one object with everything that serving and describing it needs. */

import type { CallerOrigin, IdentityService, KeyCaller, OnceOptions, SessionCaller } from '../core.ts';
import type { IdentityErrorCode } from '../errors.ts';
import type { Tag } from '../operations/operation.ts';
import type { QueryParameter } from '../operations/parameters.ts';
import type { RoleEntry } from '../operations/roles.ts';
import type { Scope } from '../records.ts';
import type { DescribedRequestName } from '../schema/described-requests.ts';
import type { ResponseName } from '../schema/responses.ts';
import type { ServedService, VerbName } from './api-host.ts';

/** The credential that an endpoint needs; `either` is a session, or a key with the scope. */
export type Credential = 'none' | 'session' | 'key' | 'either';

/** The type of the caller, by the credential that an endpoint needs. */
export interface Callers {
  readonly none: undefined;
  readonly session: SessionCaller;
  readonly key: KeyCaller;
  readonly either: SessionCaller | KeyCaller;
}

/**
 * One call of an endpoint: its caller is authenticated and its body is parsed, but not validated. The service
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
  /** The client, for limits by address. */
  readonly client: () => CallerOrigin;
  /** A signal that aborts when the client disconnects, for work that may take long. */
  readonly signal: () => AbortSignal;
  /** The `Idempotency-Key` of an endpoint that takes one. */
  readonly once: OnceOptions;
  /** Counts more verifications against the rate of the plan, if the endpoint is `counted`; throws `rate_limited`. */
  readonly count: (verifications: number) => void;
  /** The id that the answer carries as `X-Request-ID`. */
  readonly requestId: string;
  /** The OpenAPI document of the table that serves this call. */
  readonly document: SharedDocument;
}

/**
 * The reply of an endpoint, sent with `success.status`. A text or a stream is sent unchanged, any other value as JSON.
 */
export interface Reply {
  /** `true` if the client has the current version: the answer is 304, without a body. */
  readonly notModified?: boolean;
  /** Sent instead of `success.status`: 200, which `success.again` describes. */
  readonly status?: 200;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the reply of a document that all answers share, for a client with these headers. */
export type SharedDocument = (rawHeaders: readonly string[]) => Promise<Reply>;

/** The JSON body of an endpoint. */
export interface BodyDescription {
  readonly schema: DescribedRequestName;
  /** `true` if the body may be absent; it then counts as `{}`. */
  readonly optional?: boolean;
  /** `true` if the endpoint accepts application/merge-patch+json (RFC 7396) as well. */
  readonly mergePatch?: boolean;
  /** `true` if the body is a form: `application/x-www-form-urlencoded`. */
  readonly isForm?: boolean;
  /** The longest body, in bytes; default 64 KiB. */
  readonly maxBytes?: number;
  /** The most members of all objects and arrays of the body together; default 1,000. */
  readonly maxMembers?: number;
}

/** The roles of an endpoint: required where a session may call it, and absent elsewhere. */
export type RolesOf<Kind extends Credential> = Kind extends 'session' | 'either'
  ? {
      /** The roles that may call it with a session; a key is bound by its scopes alone. */
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
  /** `true` if the last parameter of the path takes the rest of it, with its slashes and as it was sent. */
  readonly takesRest?: boolean;
  /**
   * The method, or the room with the method, that it calls: it is served where the application has it. `null`: it
   * calls none.
   */
  readonly verb: VerbName | null;
  readonly tag: Tag;
  readonly summary: string;
  readonly credential: Kind;
  /** The scope that an API key needs. */
  readonly scope?: Scope;
  /** The scopes of which a management key needs one; `any`: it needs none. Absent: no management key may call it. */
  readonly management?: readonly Scope[] | 'any';
  /** `true` if an API key may also come as `Authorization: Bearer`. */
  readonly bearerKeys?: boolean;
  /**
   * The form of errors other than problem documents. `text` sends the message as a JSON string, with 400 instead of
   * 415 (AuthZEN section 10.1.2). `oauth` sends the form of RFC 6749 section 5.2.
   */
  readonly errorsAs?: 'text' | 'oauth';
  /** Scopes of which each is enough instead of `scope`. */
  readonly otherScopes?: readonly Scope[];
  readonly query?: readonly QueryParameter[];
  readonly body?: BodyDescription;
  /** `true` if the endpoint accepts an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** `true` if the proof of an intent may also come as the header `Agent-Proof`. */
  readonly proved?: boolean;
  /** True when the header `If-Narrower` is read. */
  readonly narrowable?: boolean;
  /** True when the header `Approval-Id` is read. */
  readonly approvable?: boolean;
  /** `true` if a call may take longer than the deadline of other requests, because it waits in a queue or reads much. */
  readonly patient?: boolean;
  /** `true` if a call counts as one verification of the plan's rate before the body is read. For API keys only. */
  readonly counted?: boolean;
  /** `true` if a call counts as one write against the rate of the plan, before the body is read. */
  readonly writes?: boolean;
  /** Counts a call against another limit before the body is read; throws `rate_limited`. */
  readonly limit?: (service: IdentityService, caller: Callers[Kind]) => void;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema?: ResponseName;
    /** The description of 200, if an existing object may be the answer instead of a new one. */
    readonly again?: string;
    /** The media type of the body; default application/json. */
    readonly mediaType?: string;
    /** `true` if the endpoint answers text/event-stream, and no other type. */
    readonly events?: boolean;
    /** `true` if the endpoint can answer text/csv as well. */
    readonly csv?: boolean;
  };
  /** The error codes beyond those that follow from the credential, the body and the server itself. */
  readonly errors?: readonly IdentityErrorCode[];
  /**
   * Says whether this service offers the endpoint, on a mount with the login of the application or without. Its path
   * does not exist otherwise.
   */
  readonly needs?: (service: IdentityService, hasHostLogin?: boolean) => boolean;
  /** `true` if it belongs to logins of the service: it does not exist on a mount with the login of the application. */
  readonly ownLogin?: boolean;
  handle(call: Call<Kind>): Promise<Reply>;
}

export function endpoint<Kind extends Credential>(definition: Endpoint<Kind>): Endpoint {
  return definition as unknown as Endpoint;
}

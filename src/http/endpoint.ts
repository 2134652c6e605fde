/** What an endpoint is: one object that says all that serving and describing it need. */
import type { IdentityErrorCode } from '../errors.ts';
import type { Scope } from '../records.ts';
import type { DescribedRequestName } from '../schema/requests.ts';
import type { ResponseName } from '../schema/responses.ts';
import type { Client, IdentityService, KeyCaller, OnceOptions, SessionCaller } from '../service.ts';

/** Which credential opens an endpoint; `either` is a session or a key with the scope. */
export type Credential = 'none' | 'session' | 'key' | 'either';

/** The caller of an endpoint, by the credential it asks for. */
export interface Callers {
  readonly none: undefined;
  readonly session: SessionCaller;
  readonly key: KeyCaller;
  readonly either: SessionCaller | KeyCaller;
}

/** One call of an endpoint, authenticated and parsed. The service checks `body`. */
export interface Call<Kind extends Credential> {
  readonly service: IdentityService;
  readonly caller: Callers[Kind];
  /** The text of the credential itself, for endpoints that end it. */
  readonly credential: string;
  /** Path parameters, percent-decoded once. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
  readonly body: unknown;
  /** Who asks, for what is limited by address. */
  readonly client: () => Client;
  /** Aborted when the client has gone: for what may take longer. */
  readonly signal: () => AbortSignal;
  /** The `Idempotency-Key` of an endpoint that takes one. */
  readonly once: OnceOptions;
  /** Counts this many more verifications, where `counted`; `rate_limited` over the rate. */
  readonly count: (verifications: number) => void;
  /** What the answer names as `X-Request-ID`. */
  readonly requestId: string;
  /** The OpenAPI document of the table that serves this call. */
  readonly document: () => string;
}

/** What an endpoint answers, with `success.status`. Text and streams of it are sent as they are, all else as its JSON. */
export interface Reply {
  /** The client has it already: the answer is 304, without a body. */
  readonly notModified?: boolean;
  /** In the place of `success.status`: 200 where `success.again` says what that means. */
  readonly status?: 200;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A query parameter: text, checked by the service. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Refuses what the schema cannot, so that it is named together with all else that is wrong. */
  readonly accepts?: (value: string) => boolean;
  /** Whether it may come without a value. */
  readonly mayBeEmpty?: boolean;
}

/** The JSON body that an endpoint takes. */
export interface BodyDescription {
  readonly schema: DescribedRequestName;
  /** It may be left out, and then counts as `{}`. */
  readonly optional?: boolean;
  /** Takes application/merge-patch+json (RFC 7396) as well. */
  readonly mergePatch?: boolean;
  /** Default 64 KiB. */
  readonly maxBytes?: number;
  /** How many members its objects and arrays may have in all; default 1,000. */
  readonly maxMembers?: number;
}

/** One endpoint of the API. */
export interface Endpoint<Kind extends Credential = Credential> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base path, such as `/passports/{agent_id}`. */
  readonly path: string;
  readonly tag:
    | 'Verdicts'
    | 'Approvals'
    | 'AuthZEN'
    | 'Passports'
    | 'Domains'
    | 'Keys'
    | 'Accounts'
    | 'Insight'
    | 'Webhooks'
    | 'Service';
  readonly summary: string;
  readonly credential: Kind;
  /** What a key needs here. */
  readonly scope?: Scope;
  /** Takes an API key as `Authorization: Bearer`, too. */
  readonly bearerKeys?: boolean;
  /** Answers an error with its message as a JSON string, and 400 where the API has 415 (AuthZEN section 10.1.2). */
  readonly textErrors?: boolean;
  /** Scopes of which one will do instead. */
  readonly otherScopes?: readonly Scope[];
  readonly query?: readonly QueryParameter[];
  readonly body?: BodyDescription;
  /** Takes an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Takes the proof of its intent as the header `Agent-Proof`, too. */
  readonly proved?: boolean;
  /** May take longer than a request may otherwise: it waits for its turn, or adds up much. */
  readonly patient?: boolean;
  /** Counts one verification against the rate of the plan before the body is read. For API keys only. */
  readonly counted?: boolean;
  /** Counts one write against the rate of the plan before the body is read. */
  readonly writes?: boolean;
  /** Counts a call against another limit before the body is read; `rate_limited` over it. */
  readonly limit?: (service: IdentityService, caller: Callers[Kind]) => void;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema?: ResponseName;
    /** What 200 means where something that is there already is answered in the place of something new. */
    readonly again?: string;
    /** Of the body; default application/json. */
    readonly mediaType?: string;
    /** Answers text/event-stream, and nothing else. */
    readonly events?: boolean;
    /** Answers text/csv as well. */
    readonly csv?: boolean;
  };
  /** The errors beyond those that the credential, the body and the server itself bring. */
  readonly errors?: readonly IdentityErrorCode[];
  /** Whether this service serves it; otherwise the path does not exist. */
  readonly needs?: (service: IdentityService) => boolean;
  handle(call: Call<Kind>): Promise<Reply>;
}

/** An endpoint whose handler knows its kind of caller. */
export function endpoint<Kind extends Credential>(definition: Endpoint<Kind>): Endpoint {
  return definition as unknown as Endpoint;
}

/** What an endpoint is: one object that says all that serving and describing it need. */
import type { IdentityErrorCode } from '../errors.ts';
import type { Scope } from '../records.ts';
import type { RequestName } from '../schema/requests.ts';
import type { ResponseName } from '../schema/responses.ts';
import type { Client, IdentityService, KeyCaller, OnceOptions, SessionCaller } from '../service/index.ts';

/** Which credential opens an endpoint; `either` is a session or a key with the scope. */
export type Credential = 'none' | 'session' | 'key' | 'either';

/** Who passed the door of an endpoint. */
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
  /** Counts so many more verifications, where `counted`; `rate_limited` over the rate. */
  readonly count: (verifications: number) => void;
  /** What the answer names as `X-Request-ID`. */
  readonly requestId: string;
  /** The OpenAPI document of the table that serves this call. */
  readonly document: () => string;
}

/** What an endpoint answers, with `success.status`. Text and streams of it are sent as they are, all else as its JSON. */
export interface Reply {
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
}

/** The JSON body that an endpoint takes. */
export interface BodyDescription {
  readonly schema: RequestName;
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
  readonly tag: 'Verdicts' | 'Passports' | 'Keys' | 'Accounts' | 'Insight' | 'Service';
  readonly summary: string;
  readonly credential: Kind;
  /** What a key needs here. */
  readonly scope?: Scope;
  readonly query?: readonly QueryParameter[];
  readonly body?: BodyDescription;
  /** Takes an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** May take longer than a request may otherwise: it waits for its turn, or adds up much. */
  readonly patient?: boolean;
  /** Counts one verification against the rate of the plan before the body is read. For API keys only. */
  readonly counted?: boolean;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema?: ResponseName;
    /** Answers text/csv as well. */
    readonly csv?: boolean;
  };
  /** The errors beyond those that the credential, the body and the server itself bring. */
  readonly errors?: readonly IdentityErrorCode[];
  /** Whether this service serves it at all; otherwise there is no such path. */
  readonly needs?: (service: IdentityService) => boolean;
  handle(call: Call<Kind>): Promise<Reply>;
}

/** An endpoint whose handler knows its kind of caller. */
export function endpoint<Kind extends Credential>(definition: Endpoint<Kind>): Endpoint {
  return definition as unknown as Endpoint;
}

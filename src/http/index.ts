/**
 * The door `./http`: the API as a fetch handler and as a node listener, and the parts for a binding to another
 * framework.
 */

export { knownOptions, type OptionNames } from '../base/known-options.ts';
export { type RuntimeVersions, unsupportedNode } from '../base/node-version.ts';
export { PASSPORT_STATUSES } from '../base/values/passport-status.ts';
export { readTraceparent } from '../base/values/trace-id.ts';
export { ENVIRONMENTS, PLANS, SCOPES, VERDICTS } from '../base/values/vocabulary.ts';
export type { IdentityErrorCode } from '../errors.ts';
export { type JsonLimits, readJson } from '../json/read-json.ts';
export type { Environment, PassportStatus, Plan, Scope, Verdict } from '../records.ts';
export type { AccessRequestName, AccessResponseName } from '../schema/access.ts';
export type { JsonSchema } from '../schema/json-schema.ts';
export type { DescribedRequestName, RequestName } from '../schema/requests.ts';
export type { ResponseName } from '../schema/responses.ts';
export type { WebhookResponseName } from '../schema/webhook.ts';
export type {
  Client,
  IdentityService,
  KeyCaller,
  OnceOptions,
  SessionCaller,
} from '../service.ts';
export { headersRefused } from './answer.ts';
export { assertService } from './assert-service.ts';
export { type ProxyOptions, readTrustProxy } from './client-address.ts';
export { createDispatch, type Dispatch } from './dispatch.ts';
export type {
  BodyDescription,
  Call,
  Callers,
  Credential,
  Endpoint,
  QueryParameter,
  Reply,
} from './endpoint.ts';
export { endpoints } from './endpoints.ts';
export type { ApiRequest, ApiResponse, StreamBody } from './exchange.ts';
export { type FaceOptions, type FetchOptions, fetchHandler } from './fetch-handler.ts';
export { endpointAt } from './match.ts';
export type { NodeRequest, NodeResponse } from './node-exchange.ts';
export { nodeListener, type Stand, send, toApiRequest } from './node-listener.ts';
export { openApiDocument } from './openapi.ts';
export { pipelineBound } from './pipelining.ts';

/** The door `./http`: the API as a fetch handler and as a node listener, and its description. */

export { PASSPORT_STATUSES } from '../base/values/passport-status.ts';
export { ENVIRONMENTS, PLANS, SCOPES, VERDICTS } from '../base/values/vocabulary.ts';
export type { IdentityErrorCode } from '../errors.ts';
export type { Environment, PassportStatus, Plan, Scope, Verdict } from '../records.ts';
export type { AccessRequestName, AccessResponseName } from '../schema/access.ts';
export type { JsonSchema } from '../schema/json-schema.ts';
export type { DescribedRequestName, RequestName } from '../schema/requests.ts';
export type { ResponseName } from '../schema/responses.ts';
export type { WebhookResponseName } from '../schema/webhook.ts';
export type {
  CallerOrigin,
  IdentityService,
  KeyCaller,
  OnceOptions,
  SessionCaller,
} from '../service.ts';
export type { ProxyOptions } from './client-address.ts';
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
export { type FaceOptions, type FetchOptions, fetchHandler } from './fetch-handler.ts';
export type { NodeRequest, NodeResponse } from './node-exchange.ts';
export { nodeListener } from './node-listener.ts';
export { openApiDocument } from './openapi.ts';
export { pipelineBound } from './pipelining.ts';

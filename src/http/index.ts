/** The entry point `./http`: the API as a fetch handler and as a node listener, and its description. */

export type { AccessTokenRooms } from '../access-tokens/index.ts';
export { isEventId } from '../base/bytes/event-position.ts';
export { isSetName } from '../base/values/agent-id.ts';
export { PASSPORT_STATUSES } from '../base/values/passport-status.ts';
export { isManagementKey, MANAGEMENT_SCOPES, VERDICT_SCOPES, withIncluded } from '../base/values/scopes.ts';
export {
  AUDIT_TYPES,
  DECIDING_ROLES,
  ENVIRONMENTS,
  PLANS,
  ROLES,
  VERDICTS,
} from '../base/values/vocabulary.ts';
export type {
  CallerOrigin,
  IdentityService,
  KeyCaller,
  OnceOptions,
  SessionCaller,
} from '../core.ts';
export type { HostDomainRooms } from '../domains/index.ts';
export type { IdentityError, IdentityErrorCode } from '../errors.ts';
export type { EventRooms } from '../events/index.ts';
export type { EvidenceRooms, HostEvidenceRooms } from '../evidence/index.ts';
export type { HostIdentityRooms, IdentityRooms } from '../identity/rooms.ts';
export type {
  HeaderOption,
  Operation,
  OperationTable,
  TableOf,
  Tag,
} from '../operations/operation.ts';
export type { QueryParameter } from '../operations/parameters.ts';
export type { RoleEntry } from '../operations/roles.ts';
export type { HostPeopleRooms } from '../people/index.ts';
export type { AuditType } from '../records/audit.ts';
export type {
  Environment,
  HostLogin,
  ManagementScope,
  PassportStatus,
  Plan,
  Role,
  Scope,
  Verdict,
  VerdictScope,
} from '../records.ts';
export type { AccessRequestName, AccessResponseName } from '../schema/access.ts';
export type { DescribedRequestName } from '../schema/described-requests.ts';
export type { JsonSchema } from '../schema/json-schema.ts';
export type { LogResponseName } from '../schema/log.ts';
export type { MemberRequestName, MemberResponseName } from '../schema/member.ts';
export type { RequestName } from '../schema/requests.ts';
export type { ResponseName } from '../schema/responses.ts';
export type { VerifierRequestName } from '../schema/verifier.ts';
export type { WebhookRequestName, WebhookResponseName } from '../schema/webhook.ts';
export type { VerifierRooms } from '../verifiers/index.ts';
export type {
  ApiHost,
  RoomName,
  ServedService,
  VerdictHost,
  VerdictServing,
} from './api-host.ts';
export type { ProxyOptions } from './client-address.ts';
export type {
  BodyDescription,
  Call,
  Callers,
  Credential,
  Endpoint,
  EndpointFields,
  Reply,
  RolesOf,
  SharedDocument,
} from './endpoint.ts';
export { endpoints } from './endpoints.ts';
export { type FaceOptions, type FetchOptions, fetchHandler } from './fetch-handler.ts';
export type { Authenticate, HostLoginOptions, OriginOptions } from './host-login.ts';
export { type ListenerOptions, nodeListener } from './node-listener.ts';
export { openApiDocument } from './openapi.ts';
export { type NodeRequest, type NodeResponse, pipelineBound } from './pipelining.ts';

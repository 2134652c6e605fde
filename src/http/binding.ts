/** The entry point `./http/binding`: the parts for a binding of the API to another framework. `./express` uses them. */

export { knownOptions, type OptionNames } from '../base/known-options.ts';
export { type RuntimeVersions, unsupportedNode } from '../base/node-version.ts';
export { canonicalJson } from '../base/values/json-values.ts';
export { readTraceparent } from '../base/values/trace-id.ts';
export type { AuthenticateHost, CallerOrigin, IdentityService } from '../core.ts';
export { type JsonLimits, readJson } from '../json/read-json.ts';
export { headersRefused } from './answer.ts';
export { type ApiHost, assertService, type VerdictHost, type VerdictServing } from './api-host.ts';
export { type ProxyOptions, readTrustProxy } from './client-address.ts';
export { createDispatch, type Dispatch } from './dispatch.ts';
export { type ErrorEntry, errorReference } from './error-help.ts';
export type { ApiRequest, ApiResponse, LentLogin, StreamBody } from './exchange.ts';
export { type HostLoginOptions, type Lender, readLender } from './host-login.ts';
export { endpointAt } from './match.ts';
export { type Stand, send, toApiRequest } from './node-listener.ts';
export type { NodeRequest, NodeResponse } from './pipelining.ts';

/** The entry point `./did`: the public documents of agents and domains, over fetch and over node:http. */

export type { IdentityService } from '../core.ts';
export type { NodeRequest, NodeResponse } from '../http/pipelining.ts';
export type { AgentKey, PublicJwk, SigningAlgorithm } from '../records/key.ts';
export {
  type AgentDocumentInput,
  agentDocument,
  agentKeySet,
  type DidDocument,
  type DomainDocumentInput,
  domainDocument,
  type VerificationMethod,
} from './documents.ts';
export { type DidServingOptions, didHandler, didListener } from './handlers.ts';
export type { DidOptions } from './serve-documents.ts';

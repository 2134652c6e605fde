/**
 * Provides the identity of the service itself: signing keys, signed passports, permits, and the public documents of
 * agents and domains, over fetch and over node:http.
 */
import type { Capability, Core, OpenCapability, WholeCapability } from '../core/capabilities/capability.ts';
import type { CallOptions } from '../core/shared/callers.ts';
import { takePermitted } from '../core/verification/takings.ts';
import { type CheckedIdentity, checkedIdentity, type IdentityOptions } from './identity-options.ts';
import { signOperations } from './operations.ts';
import { createPermits } from './permits.ts';
import { createPublished } from './published.ts';
import type { HostIdentityRooms, IdentityRooms } from './rooms.ts';
import { createSignPassport } from './sign-passport.ts';
import { createSigning } from './signing.ts';
import { createStatusSlots } from './status-slots.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
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
export type { IdentityOptions } from './identity-options.ts';
export type { Published, PublishedAgent, PublishedOptions } from './published.ts';
export type { HostIdentityRooms, IdentityRooms } from './rooms.ts';
export type { DidOptions, DocumentService } from './serve-documents.ts';
export type { PassportSigning } from './sign-passport.ts';
export type { Signing, SigningKeyChanges, SigningKeyRotation } from './signing.ts';
export type { ReadStatusList, StatusListToken } from './status-lists.ts';
export type { SigningKey } from './stored-signer.ts';

/** The capability that `identity` returns. */
export type IdentityCapability = Capability<HostIdentityRooms, IdentityRooms<CallOptions>>;

/**
 * Returns the capability that signs: passports, permits and documents. The service creates the signing keys at its
 * first start, and keeps them encrypted in the storage.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { identity } from 'agent-identity-service/identity';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({
 *   storage: memoryStorage(),
 *   capabilities: [identity({ secret: 'a secret of 32 characters or more' })],
 * });
 * const { keys } = await service.signing.jwks();
 * console.log(keys.length); // 1
 */
export function identity(options: IdentityOptions = {}): IdentityCapability {
  const settings = checkedIdentity(options);
  const capability: WholeCapability<HostIdentityRooms, IdentityRooms<CallOptions>> = {
    name: 'identity',
    operations: [signOperations],
    settings,
    open: (core) => openIdentity(core, settings),
  };
  return capability;
}

function openIdentity(core: Core, options: CheckedIdentity): OpenCapability {
  const { publicUrl } = core;
  const { room, ready, reseal, tokens, signEd25519, logSigner, stop } = createSigning(core, options);
  const places = core.demanded('publicPlaces');
  const published = { publicUrl, maxAgeSeconds: options.didMaxAgeSeconds, jwks: room.jwks, places };
  const parts =
    tokens && publicUrl !== undefined ? { publicUrl, tokens, slots: createStatusSlots(core) } : undefined;
  return {
    rooms: { passports: { sign: createSignPassport(core, options.tokenSeconds, parts) } },
    hostRooms: { signing: room, published: createPublished(core, published) },
    offers: { signEd25519, logSigner, ...(parts && offersOf(core, parts)) },
    reseal,
    ready,
    stop: async () => stop(),
  };
}

/** Returns the functions of a service whose signatures name its address. */
function offersOf(
  core: Core,
  { tokens, slots }: NonNullable<Parameters<typeof createSignPassport>[2]>,
): NonNullable<OpenCapability['offers']> {
  const planPermit = createPermits(core, tokens);
  const { now } = core.clock;
  return {
    tokens,
    statusSlots: slots,
    takePermitted: (take, toTake) => takePermitted({ planPermit, take, now }, toTake),
  };
}

/** Opens the verifier of a proxy: a service at a URL, or a service over a storage in this process. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClientAgentKey, createIdentityClient, type PrivateJwk } from '../../../src/client.ts';
import type { Intent, VerdictRecord, Verifier, VerifierOptions } from '../../../src/guard/index.ts';
import { readTraceparent } from '../../../src/http/binding.ts';
import { commandLog, storedUrl } from '../backend/operator.ts';
import { readBaseUrl } from '../input/base-url.ts';
import { openStorage, readStorageUrl } from '../input/storage-url.ts';
import { readJsonFile } from '../input/text-file.ts';
import { readCredential } from '../input/variables.ts';
import { usageError } from '../output/error.ts';
import { httpFetch } from './http-fetch.ts';

export interface OpenVerifier extends Verifier {
  readonly verifyBatch: (batch: { readonly intents: readonly Intent[] }) => Promise<readonly VerdictRecord[]>;
  /** Closes the verifier, which stores its waiting records. */
  readonly close: () => Promise<void>;
}

export async function openVerifier(options: {
  readonly agent: string;
  readonly url?: string;
  readonly storage?: string;
  readonly agentKey?: string;
}): Promise<OpenVerifier> {
  const { agent, url, storage, agentKey } = options;
  if ((url === undefined) === (storage === undefined))
    throw usageError('Name --url or --storage, one of them.');
  if (url !== undefined) return remote(url, agentKey && (await keyIn(agentKey, agent)));
  if (agentKey !== undefined) throw usageError('--agent-key is for --url.');
  return local(storage ?? '');
}

/**
 * Reads the agent key in a file. The proxy can safely sign intents without a target, because it sends its proofs only
 * to the service.
 */
async function keyIn(file: string, agent_id: string): Promise<ClientAgentKey> {
  const read = await readJsonFile(file);
  const { private_jwk = read } = read;
  return { private_jwk: private_jwk as PrivateJwk, agent_id, anyTarget: true };
}

function remote(url: string, agentKey: ClientAgentKey | '' | undefined): OpenVerifier {
  const baseUrl = readBaseUrl(url);
  const apiKey = readCredential('AGENT_IDENTITY_API_KEY');
  if (apiKey === undefined) throw usageError('Set AGENT_IDENTITY_API_KEY to an API key.');
  const client = createIdentityClient({
    baseUrl,
    apiKey,
    fetch: httpFetch,
    traceparent: presentTrace,
    ...(agentKey && { agentKey }),
  });
  return {
    verify: client.verify,
    spends: client.spends,
    outcomes: client.outcomes,
    approvals: client.approvals,
    verifyBatch: (batch) => client.verifyBatch(batch),
    close: async () => undefined,
  };
}

async function local(url: string): Promise<OpenVerifier> {
  // Loaded only here: the service is most of the code of a start.
  const { createIdentityService } = await import('../../../src/index.ts');
  const storage = await openStorage(readStorageUrl(url), { mustExist: true });
  const service = createIdentityService({ storage, proofAudiences: [storedUrl()], ...commandLog() });
  return {
    verify: (intent, options) => service.verify(intent, traced(options)),
    spends: service.spends,
    outcomes: service.outcomes,
    approvals: service.approvals,
    verifyBatch: (batch) => service.verifyBatch(batch),
    close: () => service.close(),
  };
}

function traced(options: VerifierOptions = {}): VerifierOptions & { readonly trace_id?: string } {
  const trace_id = readTraceparent(presentTrace());
  if (trace_id === null) return options;
  const { idempotencyKey } = options;
  return {
    trace_id,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    // Read when it is needed: a guard makes it then.
    get signal() {
      return options.signal as AbortSignal;
    },
  };
}

const traces = new AsyncLocalStorage<string>();

export function withinTrace<T>(params: unknown, run: () => T): T {
  const { _meta } = Object(params) as { readonly _meta?: unknown };
  const { traceparent } = Object(_meta) as { readonly traceparent?: unknown };
  return typeof traceparent === 'string' ? traces.run(traceparent, run) : run();
}

/** Returns the present `traceparent` (W3C Trace Context) without checking it. */
function presentTrace(): string | undefined {
  return traces.getStore();
}

/** A service, a key that may decide, and verifiers whose requests a test counts and bends. */
import { afterEach } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { fromBase64Url } from '../../src/base/bytes/base64url.ts';
import { type AuthzenOptions, everyCapability } from '../../src/capabilities.ts';
import { createIdentityService, type IdentityService, type IdentityServiceOptions } from '../../src/core.ts';
import { fetchHandler } from '../../src/http/index.ts';
import type { IdentityOptions } from '../../src/identity/index.ts';
import { mergedRecords, openBlock } from '../../src/journal-format/index.ts';
import type { Order, PassportInput, Scope, VerdictRecord } from '../../src/records.ts';
import {
  createLocalVerifier,
  createVerifierHost,
  type LocalVerifier,
  type LocalVerifierOptions,
  type VerifierHost,
  type VerifierHostOptions,
} from '../../src/verifier/index.ts';
import { PATIENT_MS } from '../support/patience.ts';

export const BASE_URL = 'https://id.example.com/api';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** A request of a verifier, as it arrived. */
export interface Seen {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The way from verifiers to a service. */
export interface Wire {
  readonly fetch: typeof globalThis.fetch;
  /** The requests in their order. */
  readonly seen: Seen[];
  /** The records that were filed. */
  readonly filed: VerdictRecord[];
  /** Returns the requests to a path. */
  to(path: string): readonly Seen[];
}

/** The options of a service that serves local verifiers. */
export type OpenOptions = Partial<IdentityServiceOptions> & {
  readonly authzen?: AuthzenOptions;
  readonly identity?: IdentityOptions;
};

export function open({ authzen, identity, ...options }: OpenOptions = {}): IdentityService {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    ...options,
    capabilities: everyCapability({ authzen, identity }),
  });
  opened.push(service);
  return service;
}

/** Makes the way to a service; records are kept here. */
export function wireTo(service: IdentityService): Wire {
  const handler = fetchHandler(service);
  const seen: Seen[] = [];
  const filed: VerdictRecord[] = [];
  const fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const request = new Request(input as string, init);
    const path = new URL(request.url).pathname.replace('/api', '');
    const body = request.method === 'POST' ? await request.clone().json() : {};
    seen.push({ path, body });
    if (path !== '/verifier/verdicts') return handler(request);
    const block = openBlock(bytes(body.block), body.erasable && bytes(body.erasable));
    for (const { record } of mergedRecords([block])) filed.push(record);
    return Response.json({ seq: body.seq, result: 'filed' });
  };
  return { fetch, seen, filed, to: (path) => seen.filter((one) => one.path === path) };
}

function bytes(text: string): Uint8Array {
  const read = fromBase64Url(text);
  if (read === undefined) throw new Error('This is not base64url.');
  return read;
}

export async function keyOf(
  service: IdentityService,
  input: { readonly agent_ids?: readonly string[]; readonly scopes?: readonly Scope[] } = {},
): Promise<string> {
  const { key } = await service.keys.create({ name: 'verifier', scopes: ['verify', 'decide'], ...input });
  return key;
}

/** Makes a verifier that is closed after the test. */
export function verifierWith(
  options: Partial<LocalVerifierOptions> & { readonly apiKey: string },
): LocalVerifier {
  const verifier = createLocalVerifier({ baseUrl: BASE_URL, ...options });
  opened.push(verifier);
  return verifier;
}

/** Makes a verifier for other processes that is closed after the test. */
export function hostWith(options: Partial<VerifierHostOptions> & { readonly apiKey: string }): VerifierHost {
  const host = createVerifierHost({ baseUrl: BASE_URL, ...options });
  opened.push(host);
  return host;
}

/** A service, a verifier of it, and the way between them. */
export interface Stage {
  readonly service: IdentityService;
  readonly wire: Wire;
  readonly apiKey: string;
  readonly verifier: LocalVerifier;
}

/** Opens a service and a verifier of it. */
export async function stage(options: Partial<IdentityServiceOptions> = {}): Promise<Stage> {
  const service = open(options);
  const wire = wireTo(service);
  const apiKey = await keyOf(service);
  return { service, wire, apiKey, verifier: verifierWith({ apiKey, fetch: wire.fetch }) };
}

/** A rule of order that is about every action. */
export const ONCE: Order = {
  name: 'once',
  actions: ['*'],
  forbids: { actions: ['orders.read'], seconds: 60 },
};

export function passport(agent_name: string, input: Partial<PassportInput> = {}): PassportInput {
  const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 5 };
  return { domain: 'shop.example', agent_name, ...may, ...input };
}

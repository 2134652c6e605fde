/** A service that issues access tokens, an agent with keys, and a client that asks for tokens over HTTP. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { type AccessTokenCapability, accessTokens } from '../../src/access-tokens/index.ts';
import type { ServiceWith } from '../../src/core.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { didHandler, type IdentityCapability, identity } from '../../src/identity/index.ts';
import {
  createIdentityService,
  type Passport,
  type PassportInput,
  type StorageAdapter,
} from '../../src/index.ts';
import { digestThumbprint } from '../../src/tokens/proof/thumbprint.ts';
import { PATIENT_MS } from '../support/patience.ts';

export const PUBLIC_URL = 'https://id.example.com/api';
export const ISSUER: string = `${PUBLIC_URL}/issuers/example.com`;
export const TOKEN_URL: string = `${ISSUER}/token`;
export const RESOURCE = 'https://mcp.example/mcp';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const SECRET = 'a secret of at least thirty-two characters';

/** A key pair of an agent. */
export interface AgentKeyPair {
  readonly alg: 'EdDSA' | 'ES256';
  readonly privateKey: CryptoKey;
  readonly jwk: Record<string, unknown>;
  readonly kid: string;
}

export async function makeKeyPair(alg: 'EdDSA' | 'ES256' = 'EdDSA'): Promise<AgentKeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { alg, privateKey, jwk: { ...jwk }, kid: await digestThumbprint(jwk as Record<string, string>) };
}

/** An open service, and how to ask it. */
export interface OpenIssuer {
  readonly service: ServiceWith<readonly [IdentityCapability, AccessTokenCapability]>;
  /** Serves the API and the documents. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Makes an agent with keys; the first passport of a domain claims it. */
  readonly issue: (
    keys: readonly AgentKeyPair[],
    passport?: Partial<PassportInput>,
    account_id?: string,
  ) => Promise<Passport>;
  readonly logs: readonly string[];
}

/** Opens the service, which serves its API and its documents in one `fetch`. */
export function openIssuer(storage: StorageAdapter = memoryStorage(), more: object = {}): OpenIssuer {
  const logs: string[] = [];
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage,
    session: { secret: SECRET },
    capabilities: [identity({ publicUrl: PUBLIC_URL }), accessTokens()],
    log: (event) => logs.push(JSON.stringify(event)),
    ...more,
  });
  onTestFinished(() => service.close());
  const [api, documents] = [fetchHandler(service), didHandler(service)];
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> =>
    (await documents(new Request(url, init))) ?? api(new Request(url, init));

  async function issue(
    keys: readonly AgentKeyPair[],
    passport: Partial<PassportInput> = {},
    account_id = 'acc_1',
  ) {
    const input = {
      domain: 'example.com',
      agent_name: `agent-${crypto.randomUUID().slice(0, 8)}`,
      allowed_actions: ['oauth:token', 'orders.*'],
      monetary_limit_per_txn: 100,
      public_keys: keys.map(({ jwk }) => jwk),
      ...passport,
    };
    return service.passports.create(input as unknown as PassportInput, { account_id });
  }

  return { service, fetch, issue, logs };
}

export interface AssertionParts {
  readonly header?: Record<string, unknown>;
  readonly claims?: JWTPayload;
}

/** Signs an assertion of the agent. A member that is `undefined` is left out. */
export async function assertionOf(
  agent_id: string,
  { alg, privateKey, kid }: AgentKeyPair,
  { header = {}, claims = {} }: AssertionParts = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const times = { iat: now, exp: now + 60, jti: crypto.randomUUID() };
  const whole = { iss: agent_id, sub: agent_id, aud: ISSUER, ...times, ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(whole)))
    .setProtectedHeader(JSON.parse(JSON.stringify({ alg, kid, typ: 'JWT', ...header })))
    .sign(privateKey);
}

/** The parameters of a request that is right but for its assertion. */
export function formOf(
  client_assertion: string,
  more: Record<string, string | undefined> = {},
): URLSearchParams {
  const parameters = {
    grant_type: 'client_credentials',
    resource: RESOURCE,
    client_assertion_type: ASSERTION_TYPE,
    client_assertion,
    ...more,
  };
  const present = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new URLSearchParams(present);
}

/** A proof of a key for the token endpoint, or with `token` for a resource. */
export async function dpopOf(
  { alg, privateKey, jwk }: AgentKeyPair,
  { claims = {}, header = {} }: AssertionParts = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const whole = { htm: 'POST', htu: TOKEN_URL, iat: now, jti: crypto.randomUUID(), ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(whole)))
    .setProtectedHeader(JSON.parse(JSON.stringify({ alg, typ: 'dpop+jwt', jwk, ...header })))
    .sign(privateKey);
}

/** An issuer with one agent. */
export interface OpenAgent extends OpenIssuer {
  readonly key: AgentKeyPair;
  readonly agent_id: string;
  /** Asks for a token with these changes of the form and of the assertion. */
  readonly ask: (
    form?: Record<string, string | undefined>,
    parts?: AssertionParts & { readonly dpop?: string; readonly key?: AgentKeyPair },
  ) => Promise<{
    readonly response: Response;
    readonly assertion: string;
    readonly body: Record<string, unknown>;
  }>;
}

/** Opens an issuer with one agent. */
export async function openAgent(passport: object = {}, more: object = {}): Promise<OpenAgent> {
  const issuer = openIssuer(undefined, more);
  const key = await makeKeyPair();
  const { agent_id } = await issuer.issue([key], passport);
  const ask: OpenAgent['ask'] = async (form = {}, parts = {}) => {
    const assertion = await assertionOf(agent_id, parts.key ?? key, parts);
    const headers = parts.dpop === undefined ? {} : { dpop: parts.dpop };
    const response = await issuer.fetch(TOKEN_URL, {
      method: 'POST',
      body: formOf(assertion, form),
      headers,
    });
    return { response, assertion, body: (await response.json()) as Record<string, unknown> };
  };
  return { ...issuer, key, agent_id, ask };
}

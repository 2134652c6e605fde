/** Trusted issuers: their keys, their assertions, and an agent that trusts them. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { PassportInput, StorageAdapter } from '../../src/index.ts';
import {
  type AgentKeyPair,
  type AssertionParts,
  assertionOf,
  formOf,
  ISSUER,
  makeKeyPair,
  type OpenIssuer,
  openIssuer,
  RESOURCE,
  TOKEN_URL,
} from './stage.ts';

export const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const CLUSTER = 'https://cluster.example';
export const IDP = 'https://idp.example';
export const POD = 'system:serviceaccount:shop:orders';

export type IssuerAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA';

/** A key of a trusted issuer. */
export interface IssuerKey {
  readonly alg: IssuerAlgorithm;
  readonly privateKey: CryptoKey;
  readonly jwk: Record<string, unknown>;
}

export async function makeIssuerKey(alg: IssuerAlgorithm = 'ES256', kid = 'one'): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

/** Signs an assertion. A member that is `undefined` is left out. */
export async function signedBy(
  { alg, privateKey, jwk }: IssuerKey,
  claims: JWTPayload,
  header: Record<string, unknown> = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const whole = { aud: ISSUER, iat: now, exp: now + 600, jti: crypto.randomUUID(), ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(whole)))
    .setProtectedHeader(JSON.parse(JSON.stringify({ alg, kid: jwk['kid'], ...header })))
    .sign(privateKey);
}

export const signWorkload = (
  key: IssuerKey,
  { claims = {}, header = {} }: AssertionParts = {},
): Promise<string> => signedBy(key, { iss: CLUSTER, sub: POD, ...claims }, header);

export const signUser = (
  key: IssuerKey,
  client_id: string,
  { claims = {}, header = {} }: AssertionParts = {},
): Promise<string> => {
  const typ = 'oauth-id-jag+jwt';
  return signedBy(
    key,
    { iss: IDP, sub: 'ann', client_id, resource: RESOURCE, ...claims },
    { typ, ...header },
  );
};

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** An agent that trusts a cluster and an identity provider. */
export interface OpenTrust extends OpenIssuer {
  readonly agent_id: string;
  readonly agentKey: AgentKeyPair;
  readonly cluster: IssuerKey;
  readonly idp: IssuerKey;
  /** Asks with these parameters. */
  post(form: Record<string, string | undefined>, headers?: Record<string, string>): Promise<Answer>;
  /** Asks as a workload, with changes of the form and of the assertion. */
  workload(parts?: AssertionParts, form?: Record<string, string | undefined>): Promise<Answer>;
  /** Asks for a user, with changes of the form and of the assertion about the user. */
  user(
    parts?: AssertionParts,
    form?: Record<string, string | undefined>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
}

export interface TrustOptions {
  readonly storage?: StorageAdapter;
  readonly passport?: Partial<PassportInput>;
  /** Changes of the entry of the cluster, and of the identity provider. */
  readonly entries?: readonly [cluster?: object, idp?: object];
  readonly more?: object;
  readonly alg?: IssuerAlgorithm;
  /** Opens the account of the agent; default: `acc_1`, which needs no record. */
  readonly account?: (issuer: OpenIssuer) => Promise<string>;
}

export async function openTrust({
  storage,
  passport = {},
  entries = [],
  more = {},
  alg = 'ES256',
  account,
}: TrustOptions = {}): Promise<OpenTrust> {
  const issuer = openIssuer(storage, more);
  const [ofCluster, ofIdp] = entries;
  const [agentKey, cluster, idp] = [await makeKeyPair(), await makeIssuerKey(alg), await makeIssuerKey(alg)];
  const trusted_issuers = [
    {
      issuer: CLUSTER,
      use: 'workload',
      keys: [cluster.jwk],
      subjects: ['system:serviceaccount:shop:*'],
      ...ofCluster,
    },
    { issuer: IDP, use: 'user', keys: [idp.jwk], ...ofIdp },
  ];
  const trusting = { trusted_issuers: JSON.parse(JSON.stringify(trusted_issuers)), ...passport };
  const { agent_id } = await issuer.issue([agentKey], trusting, await account?.(issuer));

  async function post(form: Record<string, string | undefined>, headers: Record<string, string> = {}) {
    const present = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const body = new URLSearchParams(present);
    const response = await issuer.fetch(TOKEN_URL, { method: 'POST', body, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  return {
    ...issuer,
    agent_id,
    agentKey,
    cluster,
    idp,
    post,
    workload: async (parts: AssertionParts = {}, form: Record<string, string | undefined> = {}) =>
      post({
        grant_type: GRANT,
        resource: RESOURCE,
        client_id: agent_id,
        assertion: await signWorkload(cluster, parts),
        ...form,
      }),
    user: async (
      parts: AssertionParts = {},
      form: Record<string, string | undefined> = {},
      headers: Record<string, string> = {},
    ) => {
      const client = formOf(await assertionOf(agent_id, agentKey), { grant_type: GRANT });
      const assertion = await signUser(idp, agent_id, parts);
      return post({ ...Object.fromEntries(client), assertion, ...form }, headers);
    },
  };
}

/** Requests for tokens that the endpoint accepts, and changes of them. */
import { type AgentKeyPair, formOf, ISSUER, makeKeyPair, RESOURCE, TOKEN_URL } from '../stage.ts';
import { CLUSTER, GRANT, IDP, type IssuerKey, type OpenTrust, openTrust, POD } from '../trust.ts';

export const ACCOUNT = { account_id: 'acc_1' };
export const now = (): number => Math.floor(Date.now() / 1_000);

/** What an accepted request consists of: an assertion, with a DPoP proof; an API key; a JWT of a trusted issuer. */
export type Accepted = 'assertion' | 'proof' | 'key' | 'workload' | 'user';

type Members = Readonly<Record<string, unknown>>;

/** A change of an accepted request. */
export interface Change {
  /** Parameters of the form; `undefined` leaves one out. */
  readonly form?: Readonly<Record<string, string | undefined>>;
  /** Members of the JWT that the kind of request is about; `undefined` leaves one out. */
  readonly header?: Members;
  readonly claims?: Members;
  /** The JSON text of the header or the claims, before it is signed. */
  readonly headerText?: (text: string) => string;
  readonly claimsText?: (text: string) => string;
  /** The text of the JWT, after it is signed. */
  readonly jwt?: (text: string) => string;
  readonly signer?: Signer;
  /** The user and the password of `client_secret_basic`. */
  readonly user?: string;
  readonly password?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: (text: string) => string | Uint8Array<ArrayBuffer>;
  readonly url?: string;
}

/** A refused request: an accepted one and one change. */
export interface Refused {
  readonly accepted: Accepted;
  readonly name: string;
  readonly error: string;
  readonly change: Change | ((stage: Stage) => Change | Promise<Change>);
  /** `true` if a verdict denies it, which is recorded. */
  readonly isRecorded?: true;
  readonly status?: number;
}

type Signer = Pick<AgentKeyPair | IssuerKey, 'alg' | 'privateKey'>;

/** An agent that trusts two issuers, has a key and an API key, and asks for tokens. */
export interface Stage extends OpenTrust {
  readonly apiKey: string;
  readonly holder: AgentKeyPair;
  ask(accepted: Accepted, change?: Change): Promise<{ readonly status: number; readonly text: string }>;
  /** The texts of the requests that were sent: no answer and no line of the log may contain them. */
  readonly sent: string[];
}

export async function openStage(): Promise<Stage> {
  const trust = await openTrust({
    passport: { allowed_actions: ['oauth:token', 'orders.*'] },
    more: { rateLimits: 'off' },
  });
  const { agent_id, agentKey, cluster, idp, service, fetch } = trust;
  const input = { name: 'token', scopes: ['token'] as const, agent_ids: [agent_id] };
  const apiKey = (await service.keys.create(input, ACCOUNT)).key as string;
  const holder = await makeKeyPair('ES256');
  const sent: string[] = [];

  const assertion = (change: Change = {}): Promise<string> =>
    signed(
      agentKey,
      { kid: agentKey.kid, typ: 'JWT' },
      { iss: agent_id, sub: agent_id, ...times(60) },
      change,
    );
  const ofIssuer = (key: IssuerKey, header: Members, claims: Members, change: Change): Promise<string> =>
    signed(key, { kid: key.jwk['kid'], ...header }, { ...claims, ...times(600) }, change);

  async function partsOf(accepted: Accepted, change: Change): Promise<[Change['form'], Change['headers']]> {
    if (accepted === 'key') {
      const pair = `${change.user ?? agent_id}:${change.password ?? apiKey}`;
      const form = { client_assertion: undefined, client_assertion_type: undefined };
      return [form, { authorization: `Basic ${btoa(pair)}` }];
    }
    if (accepted === 'workload') {
      const grant = { grant_type: GRANT, client_id: agent_id, ...(await partsOf('key', change))[0] };
      return [{ ...grant, assertion: await ofIssuer(cluster, {}, { iss: CLUSTER, sub: POD }, change) }, {}];
    }
    if (accepted === 'user') {
      const claims = { iss: IDP, sub: 'ann', client_id: agent_id, resource: RESOURCE };
      const grant = { grant_type: GRANT, client_assertion: await assertion() };
      const typ = 'oauth-id-jag+jwt';
      return [{ ...grant, assertion: await ofIssuer(idp, { typ }, claims, change) }, {}];
    }
    if (accepted === 'assertion') return [{ client_assertion: await assertion(change) }, {}];
    const proof = { htm: 'POST', htu: TOKEN_URL, iat: now(), jti: crypto.randomUUID() };
    const dpop = await signed(holder, { typ: 'dpop+jwt', jwk: holder.jwk }, proof, change);
    return [{ client_assertion: await assertion() }, { dpop }];
  }

  async function ask(accepted: Accepted, change: Change = {}) {
    const [form, headers] = await partsOf(accepted, change);
    const body = formOf('', { scope: 'orders.read', ...form, ...change.form }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const init = {
      method: 'POST',
      body: change.body?.(body) ?? body,
      headers: { ...type, ...headers, ...change.headers },
    };
    sent.push(...Object.values({ ...form, ...headers }).filter((text) => text !== undefined));
    const response = await fetch(change.url ?? TOKEN_URL, init);
    return { status: response.status, text: await response.text() };
  }
  return { ...trust, apiKey, holder, ask, sent };
}

const times = (seconds: number): Members => ({
  aud: ISSUER,
  iat: now(),
  exp: now() + seconds,
  jti: crypto.randomUUID(),
});

const base64 = (data: string | ArrayBuffer): string => Buffer.from(data as string).toString('base64url');

/** Signs what is given, also what no library signs, such as `alg: none` and a repeated member. */
async function signed(key: Signer, header: Members, claims: Members, change: Change): Promise<string> {
  const { alg, privateKey } = change.signer ?? key;
  const head = JSON.stringify({ alg: key.alg, ...header, ...change.header });
  const body = JSON.stringify({ ...claims, ...change.claims });
  const data = [change.headerText?.(head) ?? head, change.claimsText?.(body) ?? body].map(base64).join('.');
  const algorithm = alg === 'EdDSA' ? 'Ed25519' : { name: 'ECDSA', hash: 'SHA-256' };
  const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(data));
  const text = `${data}.${base64(signature)}`;
  return change.jwt?.(text) ?? text;
}

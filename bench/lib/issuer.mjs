import { openService } from './service.mjs';

const DOMAIN = 'example.com';
const PUBLIC_URL = 'https://id.example.com/api';
export const ISSUER = `${PUBLIC_URL}/issuers/${DOMAIN}`;
export const TOKEN_URL = `${ISSUER}/token`;
export const RESOURCE = 'https://mcp.example/mcp';
export const SCOPE = 'orders.read';
export const AGENT = `did:web:${DOMAIN}:agents:shopper`;

/** Opens a service that issues access tokens to one agent with this public key. */
export async function openIssuer(jwk) {
  const passport = {
    ...{ domain: DOMAIN, agent_name: 'shopper', public_keys: [jwk] },
    ...{ allowed_actions: ['oauth:token', SCOPE], monetary_limit_per_txn: 100 },
  };
  const opened = await openService([], { identity: { publicUrl: PUBLIC_URL }, accessTokens: {} });
  await opened.service.passports.create(passport, { account_id: opened.account_id });
  return opened;
}

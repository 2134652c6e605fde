import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

/** The person as whom everyone signs in. */
export const PERSON = 'person-1';

/** The claims that a directory makes about everyone. */
const GROUPS = { groups: ['staff', 'payments'], realm_access: { roles: ['agents'] } };

/** Starts a real issuer with one client, at which a browser signs in without a page. */
export async function startIssuer(redirectUri = 'https://id.example/') {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const seconds = 600;
  const client = { clientId: 'service', clientSecret: 's'.repeat(43), redirectUri };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUri],
      },
    ],
    claims: { openid: ['sub', 'groups', 'realm_access'], email: ['email'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of cookies in a test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: 'ann@example.com', ...GROUPS }),
    }),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', use: 'sig', alg: 'RS256' }] },
    ttl: { AccessToken: seconds, Grant: seconds, IdToken: seconds, Interaction: seconds, Session: seconds },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const { clientId } = oidc.client;
      const grant = new provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const pages = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url.startsWith('/interaction/')) return pages(request, response);
    return provider.interactionFinished(request, response, { login: { accountId: PERSON } });
  });
  return {
    ...{ issuer, ...client },
    browse: (url) => browse(url, client.redirectUri),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Follows redirects with the cookies of the issuer, up to the page of the service; returns its query. */
async function browse(start, redirectUri) {
  const cookies = new Map();
  let url = new URL(start);
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(redirectUri)) return url.search.slice(1);
  }
  throw new Error('The issuer redirects again and again.');
}

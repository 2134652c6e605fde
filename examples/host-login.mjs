// An Express application whose own login is the login of the API: one account for each organisation, roles for people.
import { createIdentityService } from 'agent-identity-service';
import { identityRouter } from 'agent-identity-service/express';
import { people } from 'agent-identity-service/people';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import express from 'express';

// Stands for your login, such as Passport or Better Auth: it finds the person behind a cookie.
const logins = {
  'sid=ann': { id: 'user-1', orgId: 'org-1', isAdmin: true },
  'sid=bob': { id: 'user-2', orgId: 'org-1', isAdmin: false },
  'sid=eve': { id: 'user-3', orgId: 'org-2', isAdmin: true },
};

const service = createIdentityService({ storage: memoryStorage(), capabilities: [people()] });
const api = identityRouter(service, {
  authenticate({ headers }) {
    const user = logins[headers.cookie];
    return user && { account: user.orgId, member: user.id, role: user.isAdmin ? 'owner' : 'viewer' };
  },
});
const app = express().use('/api', api);
const server = app.listen(0, '127.0.0.1', async () => {
  for (const cookie of ['sid=none', 'sid=bob', 'sid=ann']) console.log(cookie, await issue({ cookie }));
  console.log('ann, from another site', await issue({ cookie: 'sid=ann', origin: 'https://evil.example' }));
  for (const cookie of ['sid=bob', 'sid=eve'])
    console.log(cookie, 'sees', (await (await ask({ headers: { cookie } })).json()).data.length);
  server.close().closeAllConnections();
});

function ask(init) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return fetch(`http://127.0.0.1:${port}/api/passports`, init);
}
async function issue(headers) {
  const agent = { domain: 'shop.example', agent_name: 'buyer', monetary_limit_per_txn: 0 };
  const body = JSON.stringify({ ...agent, allowed_actions: ['orders.get'] });
  return (await ask({ method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }))
    .status;
}

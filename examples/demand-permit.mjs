// A shop that takes payments of other people's agents, each with a permit: a signed ALLOW for this payment, once.
import { createIdentityService } from 'agent-identity-service';
import { requirePermit } from 'agent-identity-service/express';
import { identity } from 'agent-identity-service/identity';
import { createPermitVerifier, rememberOnce } from 'agent-identity-service/proof';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import express from 'express';

const [action, audience] = ['payments.create', 'https://shop.example'];
const signs = identity({ secret: crypto.randomUUID(), publicUrl: 'https://id.example.com/api' });
const service = createIdentityService({ storage: memoryStorage(), capabilities: [signs] });
const passport = { domain: 'example.com', agent_name: 'shopper', allowed_actions: [action] };
const { agent_id } = await service.passports.create({ ...passport, monetary_limit_per_txn: 100 });
const ask = (amount) => service.verify({ agent_id, action, parameters: { amount }, permit: { audience } });

const keys = await service.signing.jwks(); // without them those of https://example.com/.well-known/did.json
const [issuers, once] = [['did:web:example.com'], rememberOnce()];
const verifyPermit = createPermitVerifier({ issuers, audience, once, keys });
const actionOf = ({ body: { amount } }) => ({ action, amount });
const app = express().use(express.json(), requirePermit(verifyPermit, actionOf));
app.post('/pay', ({ body }, response) => void response.json({ paid: body.amount }));

const server = app.listen(0, '127.0.0.1', async () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const { permit } = await ask(25);
  console.log('without a permit:', await pay(25));
  console.log('another amount:', await pay(250, permit));
  console.log('this payment:', await pay(25, permit));
  console.log('once more:', await pay(25, permit));
  console.log('a DENY has', (await ask(250)).permit);
  server.close().closeAllConnections();
  await service.close();

  async function pay(amount, token = '') {
    const headers = { 'content-type': 'application/json', 'agent-permit': token };
    const init = { method: 'POST', headers, body: JSON.stringify({ amount }) };
    const { paid, problem } = await (await fetch(`http://127.0.0.1:${port}/pay`, init)).json();
    return problem ?? `paid ${paid}`;
  }
});

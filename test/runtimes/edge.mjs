/** The entry points that a worker needs, without Node: `./verdict` and `./client`. */
import { createAdminClient, createIdentityClient } from 'agent-identity-service/client';
import { decide, defaultRules, prepare } from 'agent-identity-service/verdict';
import { checklist, runtimeName } from './checklist.mjs';

const AGENT = 'did:web:example.com:agents:shopper';
const AT = '2026-11-20T12:00:00.000Z';
const PASSPORT = {
  agent_id: AGENT,
  account_id: 'acc_local',
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create', 'orders.*'],
  monetary_limit_per_txn: '100.10',
  currency: 'EUR',
  status: 'active',
  version: 1,
  created_at: AT,
  updated_at: AT,
};

/** Checks both entry points. Returns the runtime and the checks that passed. */
export async function smokeEdge() {
  const { passed, check } = checklist();
  evaluate(check);
  await ask(check);
  await askByPlatform(check);
  return { runtime: runtimeName(), passed };
}

function evaluate(check) {
  for (const passport of [PASSPORT, prepare(PASSPORT)]) {
    const on = (intent) => decide({ passport, intent: { agent_id: AGENT, ...intent }, at: AT });
    const pay = (amount) => on({ action: 'payments.create', parameters: { amount, currency: 'EUR' } });
    check('at the limit: ALLOW', pay('100.10').verdict === 'ALLOW');
    const { verdict, reasons } = pay(100.11);
    check('above it: DENY, with the reason', verdict === 'DENY' && reasons[0]?.code === 'amount_over_limit');
    check('a pattern: ALLOW', on({ action: 'orders.list' }).verdict === 'ALLOW');
    check('another action: DENY', on({ action: 'orders' }).reasons[0]?.code === 'action_not_allowed');
  }
  const intent = { agent_id: AGENT, action: 'orders.list' };
  check('no passport: DENY', decide({ passport: undefined, intent, at: AT }).verdict === 'DENY');
  const objection = () => ({ code: 'closed', message: 'The shop has closed.' });
  const rules = [...defaultRules, objection];
  check(
    'a rule of the application: DENY',
    decide({ passport: PASSPORT, intent, at: AT }, rules).verdict === 'DENY',
  );
}

/** Both clients by the fetch of the platform, against the service of `workers.mjs`. */
async function askByPlatform(check) {
  const baseUrl = 'https://identity.example.com/api';
  const intent = { agent_id: AGENT, action: 'orders.list' };
  const client = createIdentityClient({ baseUrl, apiKey: 'ais_test_key' });
  check('by the platform: ALLOW', (await client.verify(intent)).verdict === 'ALLOW');
  const moved = createIdentityClient({ baseUrl: `${baseUrl}/moved`, apiKey: 'ais_test_key' });
  const error = await moved.verify(intent).catch((thrown) => thrown);
  check(
    'a redirect is not followed',
    error.code === 'service_unreachable' && /redirects/.test(error.message),
  );
  const admin = createAdminClient({ baseUrl, email: 'ada@example.com', password: 'Ein-Gutes-Kennwort-7' });
  const names = [];
  for await (const { data } of admin.passports.list()) names.push(...data);
  check('the admin client goes through the pages', names.join() === 'first,second');
}

/** The client against a service that is a function. */
async function ask(check) {
  const asked = [];
  const client = createIdentityClient({
    baseUrl: 'https://identity.example.com/api',
    apiKey: 'ais_test_key',
    fetch: async (url, init) => {
      const intent = JSON.parse(init.body);
      asked.push(`${init.method} ${url} ${init.headers['x-api-key']}`);
      if (intent.action === 'nobody.there') throw new TypeError('fetch failed');
      const { verdict, reasons } = decide({ passport: PASSPORT, intent, at: AT });
      const facts = { decision_id: 'dec_1', target: null, amount: null, currency: null, dry_run: false };
      return Response.json({ ...facts, ...intent, verdict, reasons });
    },
  });
  const on = (action) => client.verify({ agent_id: AGENT, action });
  check('the client: ALLOW', (await on('orders.list')).verdict === 'ALLOW');
  check('the client: DENY', (await on('orders')).reasons[0]?.code === 'action_not_allowed');
  const error = await on('nobody.there').catch((thrown) => thrown);
  check('the client without an answer: an error', error.code === 'service_unreachable');
  const [first] = asked;
  check('what it sent', first === 'POST https://identity.example.com/api/verify ais_test_key');
}

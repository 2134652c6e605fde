import { createSecretText } from '../../src/credential/random-id.ts';
import { secureRandom } from '../../src/platform/index.ts';
import { PASSPORT } from '../support/api.ts';
import { PASSWORD } from '../support/service.ts';

/** A link that was given to no one. */
const LINK = createSecretText('ais_link_', secureRandom);

/** A body for each endpoint that takes one, about this agent. */
export function bodiesAbout(agent_id: string): Readonly<Record<string, unknown>> {
  const intent = { agent_id, action: 'orders.get' };
  const question = {
    subject: { type: 'agent', id: agent_id },
    action: { name: 'orders.get' },
    resource: { type: 'order', id: 'A-17' },
  };
  return {
    'POST /spends/{decision_id}/extend': { hold_seconds: 60 },
    'POST /auth/login': { email: 'own@example.com', password: PASSWORD },
    'POST /auth/register': { email: 'new@example.com', password: PASSWORD },
    'POST /auth/password': { current_password: PASSWORD, new_password: PASSWORD },
    'DELETE /account': { current_password: PASSWORD },
    'POST /domains': { domain: 'new.example' },
    'POST /keys': { name: 'new' },
    'PATCH /keys/{id}': { name: 'new', agent_ids: [agent_id] },
    'POST /keys/{id}/rotate': { grace_seconds: 60 },
    'POST /passports': { ...PASSPORT, domain: 'own.example', agent_name: 'new' },
    'PATCH /passports/{agent_id}': { description: 'new' },
    'POST /passports/{agent_id}/try': { intent },
    'POST /passports/{agent_id}/replay': { examples: 1 },
    'POST /passports/{agent_id}/sign': { ttl_seconds: 60 },
    'POST /verify': intent,
    'POST /verifier/passports': { turn: 1, agents: { [agent_id]: null }, wait_ms: 0 },
    'POST /verifier/verdicts': {
      writer: '0'.repeat(32),
      seq: 1,
      block: 'AQ4BAwIAAwAEAAUBBgEHAggBCQQKAQsCDAAUAQ4JAAAAAAABAAABAltdAAAAAAGA0Oq2tzMAA7FIDi4',
    },
    'POST /verifications/outcomes': {
      outcomes: [
        {
          decision_id: 'dec_5nWq8ZrT2yLkXc0BvHs4Gf0001',
          evaluated_at: '2026-11-20T12:00:00.000Z',
          agent_id,
          outcome: 'failed',
        },
      ],
    },
    'POST /verify/batch': { intents: [intent, intent] },
    'POST /access/v1/evaluation': question,
    'POST /access/v1/evaluations': { evaluations: [question, question] },
    'POST /revoke': { agent_id },
    'POST /subjects/erase': { subject: 'user-4711' },
    'POST /suspend': { agent_id },
    'POST /reinstate': { agent_id },
    'POST /webhooks': { url: 'https://hooks.example', types: ['key.*'] },
    'POST /members': { role: 'viewer', email: 'new@example.com' },
    'PATCH /members/{id}': { name: 'new' },
    'POST /auth/link': { token: LINK },
    'POST /auth/oidc/finish': { transaction: 't', response: '?code=c' },
    'POST /auth/accept': { token: LINK, password: PASSWORD, email: 'new@example.com' },
    'PATCH /webhooks/{id}': { types: ['passport.*'] },
    'POST /webhooks/{id}/rotate': { grace_seconds: 60 },
  };
}

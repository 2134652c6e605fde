/** Test vectors: actions that do not match a valid permit, and permits that are bound or used. */
import { P256, thumbprint } from '../vector-parts.mjs';
import { AUDIENCE, INTENT_TEXT, PAYMENT, permit } from './parts.mjs';

export const INTENT = JSON.parse(INTENT_TEXT);

const { action, target, amount, currency } = PAYMENT;
const { parameters, agent_id } = INTENT;

export function badIntents() {
  return [...intents(), ...permits(), ...uses()];
}

/** Each action is combined with a permit for the standard action. */
function intents() {
  return [
    ['another action', { ...PAYMENT, action: 'payments.refund' }],
    ['the action in another case', { ...PAYMENT, action: 'Payments.create' }],
    ['a pattern that covers the action', { ...PAYMENT, action: 'payments.*' }],
    ['no action', { target, amount, currency }],
    ['another target', { ...PAYMENT, target: 'did:web:pay.example:shop' }],
    ['the target in another case', { ...PAYMENT, target: 'did:web:Pay.example' }],
    ['no target', { action, amount, currency }],
    ['a target that is null', { ...PAYMENT, target: null }],
    ['129.91', { ...PAYMENT, amount: '129.91' }],
    ['a cent of a cent more', { ...PAYMENT, amount: '129.900001' }],
    ['an amount that is no decimal', { ...PAYMENT, amount: '1.299e2' }],
    ['an amount with a sign', { ...PAYMENT, amount: '+129.9' }],
    ['an amount with a space', { ...PAYMENT, amount: '129.9 ' }],
    ['an amount that is null', { ...PAYMENT, amount: null }],
    ['an amount that is a list', { ...PAYMENT, amount: ['129.9'] }],
    ['no amount', { action, target, currency }],
    ['another currency', { ...PAYMENT, currency: 'USD' }],
    ['the currency in another case', { ...PAYMENT, currency: 'eur' }],
    ['no currency', { action, target, amount }],
    ['a member more', { ...PAYMENT, note: 'for lunch' }],
    ['a deed and an intent', { ...PAYMENT, intent: INTENT }],
    ['nothing', {}],
    ['null', null],
    ['text', action],
    ['a list', [PAYMENT]],
    [
      'an intent with another amount',
      { intent: { ...INTENT, parameters: { ...parameters, amount: '129.9' } } },
    ],
    ['an intent with a parameter more', { intent: { ...INTENT, parameters: { ...parameters, note: '' } } }],
    ['an intent with a subject', { intent: { ...INTENT, subject: 'user-1' } }],
    ['an intent of another agent', { intent: { ...INTENT, agent_id: `${agent_id}2` } }],
    ['an intent without target', { intent: { agent_id, action, parameters } }],
    ['an intent that is null', { intent: null }],
  ].map(([name, given]) => ({ name, problem: 'deed', token: permit(), deed: given }));
}

/** Each permit is combined with the standard action. */
function permits() {
  const without = (name) => [`a permit without ${name}`, permit({ permit: { [name]: undefined } })];
  return [
    without('target'),
    without('amount'),
    without('currency'),
    ['a permit for a thousand times as much', permit({ permit: { amount: '129900' } })],
    ['a permit for another target', permit({ permit: { target: 'did:web:other.example' } })],
  ].map(([name, token]) => ({ name, problem: 'deed', token }));
}

function uses() {
  const bound = permit({ claims: { cnf: { jkt: thumbprint(P256) } } });
  const test = { claims: { aud: `test:${AUDIENCE}` }, permit: { environment: 'test' } };
  return [
    ['bound', 'bound to a key that is not confirmed', bound],
    ['bound', 'bound to a key that is not confirmed', bound, { confirmed: false }],
    ['used', 'used before', permit(), { used: true }],
    ['audience', 'of the environment test', permit(test)],
    ['audience', 'of the environment live at a resource for tests', permit(), { environment: 'test' }],
    [
      'audience',
      'an audience for tests and a permit that says live',
      permit({ claims: test.claims }),
      { environment: 'test' },
    ],
    ['audience', 'a permit that says test and no such audience', permit({ permit: { environment: 'test' } })],
  ].map(([problem, name, token, given = {}]) => ({ name, problem, token, ...given }));
}

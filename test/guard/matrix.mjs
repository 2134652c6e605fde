/** The calls that every guard must stop, and the one call that it must let through. It runs over the built package. */
import { createIdentityService } from 'agent-identity-service';
import { createToolGuard } from 'agent-identity-service/guard';
import { memoryStorage } from 'agent-identity-service/storage/memory';

const DOMAIN = 'example.com';
const SHOPPER = `did:web:${DOMAIN}:agents:shopper`;

/** The rule of the tool `pay`, whose argument counts cents. */
export const PAY = { action: 'payments.create', amount: '/cents', decimals: 2, currency: 'EUR' };

/** A service with a shopper that may pay up to 100 euros, and a thief that is revoked; `more` is for their passports. */
export async function openShop(more = {}) {
  const service = createIdentityService({ storageDeadlineMs: 30_000, storage: memoryStorage() });
  for (const agent_name of ['shopper', 'thief']) {
    await service.passports.create({
      ...{ domain: DOMAIN, agent_name, allowed_actions: ['payments.create'] },
      ...{ monetary_limit_per_txn: 100, currency: 'EUR', monetary_actions: ['payments.create'] },
      ...more,
    });
  }
  await service.revoke({ agent_id: `did:web:${DOMAIN}:agents:thief` });
  return service;
}

/** A guard of that shop over the tool `pay`. */
export function guardOf(verifier, options = {}) {
  return createToolGuard({ verifier, agentId: SHOPPER, tools: { pay: PAY }, ...options });
}

/** Each case with its guard, its arguments, and how often the tool runs. */
function casesOf(service) {
  const args = { cents: 2_500 };
  const lying = (change) => ({ verify: async (intent) => change(await service.verify(intent)) });
  const allow = (record) => ({ ...record, verdict: 'ALLOW', reasons: [] });
  const denied = (name, verifier, more = {}) => {
    return { name, guard: guardOf(verifier, more.options), args: more.args ?? args, runs: 0, ...more };
  };
  const agent = (name) => ({ options: { agentId: `did:web:${DOMAIN}:agents:${name}` } });
  const throwing = () => {
    throw new Error('secret-host');
  };
  return [
    { name: 'allowed', guard: guardOf(service), args, runs: 1 },
    { name: 'at the limit', guard: guardOf(service), args: { cents: 10_000 }, runs: 1 },
    denied('no passport', service, agent('unknown')),
    denied('revoked', service, agent('thief')),
    denied('over the limit', service, { args: { cents: 10_001 } }),
    denied('amount missing', service, { args: {} }),
    denied('amount null', service, { args: { cents: null } }),
    denied('throwing rule', service, { options: { tools: { pay: throwing } } }),
    denied('asynchronous rule', service, { options: { tools: { pay: async () => ({}) } } }),
    denied('rejecting verifier', { verify: () => Promise.reject(new Error('ECONNREFUSED secret-host')) }),
    denied('throwing verifier', { verify: throwing }),
    denied('hanging verifier', { verify: () => new Promise(() => {}) }, { options: { timeoutMs: 20 } }),
    denied('garbage', { verify: async () => 'ALLOW' }),
    denied('no answer', { verify: async () => undefined }),
    denied(
      'another agent',
      lying((record) => ({ ...record, agent_id: 'did:web:other.example:agents:a' })),
    ),
    denied(
      'another action',
      lying((record) => ({ ...record, action: 'orders.read' })),
    ),
    denied(
      'ALLOW with reasons',
      lying((record) => ({ ...record, verdict: 'ALLOW', reasons: [{ code: 'a', message: 'A.' }] })),
    ),
    denied(
      'DENY without reasons',
      lying((record) => ({ ...record, verdict: 'DENY' })),
    ),
    denied(
      'ALLOW of a dry run',
      lying((record) => ({ ...allow(record), dry_run: true })),
    ),
    denied('aborted', service, { isAborted: true }),
  ];
}

/**
 * Runs every case by `call(guard, args, { signal })`, which gives back the arguments that the tool `pay` was run with;
 * what it throws is a call that was stopped. The names of the cases that do not hold, with what ran.
 */
export async function failuresOf(call, crowd = 100) {
  const service = await openShop();
  const failures = [];
  for (const { name, guard, args, runs, isAborted } of casesOf(service)) {
    const controller = new AbortController();
    if (isAborted) controller.abort(new Error('stopped'));
    const { signal } = controller;
    const ran = await call(guard, args, { signal });
    const isRight = ran.length === runs && ran.every((given) => given.cents === args.cents);
    if (!isRight) failures.push(`${name}: ran ${JSON.stringify(ran)}`);
  }
  const size = process.env.NIGHTLY === undefined ? crowd : 100;
  failures.push(...(await crowdFailures(call, guardOf(service), size)));
  await service.close();
  return failures;
}

/** Calls at once, each of which gets its own verdict: half of them are over the limit. */
async function crowdFailures(call, guard, crowd) {
  const amounts = Array.from({ length: crowd }, (_, index) => 10_001 - crowd / 2 + index);
  const ran = await Promise.all(
    amounts.map((cents) => call(guard, { cents }, { signal: new AbortController().signal })),
  );
  return amounts.flatMap((cents, index) => {
    const expected = cents <= 10_000 ? JSON.stringify([cents]) : '[]';
    const found = JSON.stringify((ran[index] ?? []).map((args) => args.cents));
    return found === expected ? [] : [`at once, ${cents} cents: ran ${found}`];
  });
}

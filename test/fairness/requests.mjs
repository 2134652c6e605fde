/** Every request that reads much, each to its end. */

const AGENT = 'did:web:loud.example:agents:agent-7';

/** By name; each counts the pieces that it came in. */
export const REQUESTS = [
  [
    'passports, newest first',
    ({ service, found, owner }) => pages(found, (page) => service.passports.list(page, owner), 50),
  ],
  passports('active, of which there are none', { status: 'active' }),
  passports('suspended, of which there are none', { status: 'suspended' }),
  [
    'passports that have expired',
    ({ service, found, owner }) =>
      pages(found, (page) => service.passports.list({ status: 'expired', ...page }, owner), 50),
  ],
  passports('active, of one domain', { status: 'active', domain: 'loud.example' }),
  verdicts('of a reason that none has', { reason: 'agent_revoked' }),
  verdicts('of keys for tests', { environment: 'test' }),
  verdicts('ALLOW', { verdict: 'ALLOW' }),
  verdicts('of one agent, ALLOW', { agent_id: AGENT, verdict: 'ALLOW' }),
  ['an export as CSV', exportAll],
  ['analytics of twenty days', ({ service, found, owner }) => analytics(service, found, owner)],
  ['a purge of all verdicts', purge],
];

function passports(name, filter) {
  return [
    `passports ${name}`,
    ({ service, found, owner }) =>
      pages(found, (page) => service.passports.list({ ...filter, ...page }, owner)),
  ];
}

function verdicts(name, filter) {
  return [
    `verdicts ${name}`,
    ({ service, found, owner }) =>
      pages(found, (page) => service.verifications.list({ ...filter, ...page }, owner)),
  ];
}

/** All pages, or the first of them. */
async function pages(found, ask, most = Number.POSITIVE_INFINITY) {
  let cursor;
  do {
    const page = await ask({ limit: 100, ...(cursor && { cursor }) });
    found.pieces += 1;
    cursor = page.next_cursor;
  } while (cursor && found.pieces < most);
}

async function exportAll({ service, found, owner }) {
  for await (const _ of await service.verifications.csv({}, owner)) found.pieces += 1;
}

async function analytics(service, found, owner) {
  const from = new Date(Date.now() - 20 * 86_400_000).toISOString();
  for (; found.pieces < 10; found.pieces += 1) await service.analytics({ from, interval: 'hour' }, owner);
}

/** As retention does it, without its pauses. */
async function purge({ storage, found, old }) {
  for (let removed = 1; removed > 0; found.pieces += 1) {
    removed = await storage.purge('verdicts', old);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

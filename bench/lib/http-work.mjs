/** The size of the body that is posted. */
export const BODY_BYTES = 145;

const AGENTS = 64;

/** Passports, and one body of exactly 145 bytes for each, in turn for an ALLOW and for a DENY. */
export function httpWork() {
  const names = Array.from({ length: AGENTS }, (_, index) => `a${String(index).padStart(2, '0')}`);
  const passports = names.map((name) => ({
    domain: `${name}.example.com`,
    agent_name: 'buyer',
    allowed_actions: ['payments.create', 'payments.refund'],
    monetary_limit_per_txn: 500,
    status: 'active',
  }));
  const bodies = names.map((name, index) => {
    const parameters = { amount: index % 2 === 0 ? 19.99 : 999.5, memo: '' };
    const intent = {
      agent_id: `did:web:${name}.example.com:agents:buyer`,
      action: 'payments.create',
      parameters,
    };
    parameters.memo = 'm'.repeat(BODY_BYTES - JSON.stringify(intent).length);
    return JSON.stringify(intent);
  });
  return { passports, bodies, expected: bodies.map((_, index) => (index % 2 === 0 ? 'ALLOW' : 'DENY')) };
}

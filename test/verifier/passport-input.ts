/** Arbitrary passports, as an account would issue them. */
import type { PassportInput } from '../../src/records.ts';

const FIELDS = [
  ...['allowed_actions', 'denied_actions', 'monetary_actions', 'allowed_targets', 'currency'],
  ...['monetary_limit_per_txn', 'not_before', 'expires_at', 'proof', 'description'],
] as const;

/** What an account would set to get such a passport. */
export function inputOf(passport: object, agent_name: string): PassportInput {
  const given = passport as Readonly<Record<string, unknown>>;
  const fields = FIELDS.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]);
  return { domain: 'shop.example', agent_name, ...Object.fromEntries(fields) };
}

import type { Outcome } from '../../../../src/types.ts';

export function count(value: number): string {
  return value.toLocaleString();
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function money(amount: number | string | null, currency: string | null | undefined): string {
  const text = amountText(amount, currency);
  return text === '' || !currency ? text : `${text} ${currency}`;
}

export function amountText(amount: number | string | null, currency: string | null | undefined): string {
  if (amount === null) return '';
  return groups(currency ? padded(`${amount}`, currency) : `${amount}`);
}

/** Pads an amount with zeros to the decimals of its currency. It never shortens an amount. */
function padded(text: string, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return text;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const decimals = format.resolvedOptions().minimumFractionDigits ?? 0;
  const [whole = '', rest = ''] = text.split('.', 2);
  return decimals === 0 && rest === '' ? whole : `${whole}.${rest.padEnd(decimals, '0')}`;
}

/** Formats `1234567.5` as `1,234,567.5`. It works on the text, because a double would not be exact. */
function groups(text: string): string {
  const [whole = '', rest] = text.split('.', 2);
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/**
 * Returns a hash of a body. A corrected form has another hash, because it is another request and needs another
 * idempotency key.
 */
export function fingerprint(body: unknown): string {
  let hash = 0;
  for (const character of JSON.stringify(body)) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (hash >>> 0).toString(36);
}

export function shortAgent(agentId: string): string {
  const [, domain, name] = /^did:web:([^:]+):agents:([^:]+)$/.exec(agentId) ?? [];
  return domain === undefined ? agentId : `${name} at ${domain}`;
}

/** The choices for the end of a rotated secret, in seconds. */
export const GRACES: readonly (readonly [string, string])[] = [
  ['0', 'Now'],
  ['3600', 'In an hour'],
  ['86400', 'In a day'],
  ['604800', 'In a week'],
];

export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  not_attempted: 'not attempted',
  unknown: 'outcome unknown',
};

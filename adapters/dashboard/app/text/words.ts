/** `1,234`, as the person writes numbers. */
export function count(value: number): string {
  return value.toLocaleString();
}

/** `1 key`, `2 keys`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** An amount as the API gives it, with its currency and as many decimals as that has: `337.90 USD`. */
export function money(amount: number | string | null, currency: string | null | undefined): string {
  const text = amountText(amount, currency);
  return text === '' || !currency ? text : `${text} ${currency}`;
}

/** The same without the currency, where that stands beside it. */
export function amountText(amount: number | string | null, currency: string | null | undefined): string {
  if (amount === null) return '';
  return groups(currency ? padded(`${amount}`, currency) : `${amount}`);
}

/** With zeros up to the decimals of the currency; nothing is ever cut off. */
function padded(text: string, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return text;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const decimals = format.resolvedOptions().minimumFractionDigits ?? 0;
  const [whole = '', rest = ''] = text.split('.', 2);
  return decimals === 0 && rest === '' ? whole : `${whole}.${rest.padEnd(decimals, '0')}`;
}

/** `1234567.5` as `1,234,567.5`; exact, so without a detour over a double. */
function groups(text: string): string {
  const [whole = '', rest] = text.split('.', 2);
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** The lines of a text that hold something. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Distinguishes bodies: a corrected form is another request under another idempotency key. */
export function fingerprint(body: unknown): string {
  let hash = 0;
  for (const character of JSON.stringify(body)) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (hash >>> 0).toString(36);
}

/** `shopper at shop.example`; anything else as it was asked. */
export function shortAgent(agentId: string): string {
  const [, domain, name] = /^did:web:([^:]+):agents:([^:]+)$/.exec(agentId) ?? [];
  return domain === undefined ? agentId : `${name} at ${domain}`;
}

/** When what is rotated ends, by its seconds. */
export const GRACES: readonly (readonly [string, string])[] = [
  ['0', 'Now'],
  ['3600', 'In an hour'],
  ['86400', 'In a day'],
  ['604800', 'In a week'],
];

/** The grammar of the trusted issuers of a passport. */
import type { TrustedIssuer } from '../../records.ts';
import { isSubject } from './subject.ts';

export const MAX_TRUSTED_ISSUERS = 8;

export const MAX_TRUSTED_KEYS = 8;

export const MAX_SUBJECTS = 16;

export const MAX_ISSUER = 256;

export const WORKLOAD_AGENTS = { least: 1, most: 1_000, default: 100 } as const;

const ISSUER = /^[\x21-\x7e]{1,256}$/;

export function isIssuerText(text: string): boolean {
  return ISSUER.test(text);
}

export function isIssuerUrl(text: string, { allowLocalhost }: { readonly allowLocalhost: boolean }): boolean {
  if (/[?#]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  if (username !== '' || password !== '') return false;
  const isLocal = allowLocalhost && (hostname === 'localhost' || hostname === '127.0.0.1');
  return protocol === 'https:' || (protocol === 'http:' && isLocal);
}

/** Says whether the text is a valid entry of `subjects`: a subject, or a prefix and `*`. */
export function isSubjectEntry(text: string): boolean {
  return isSubject(text) && text !== '*';
}

export function isTrustedSubject({ subjects }: TrustedIssuer, subject: string): boolean {
  return subjects === undefined || subjects.some((entry) => coversSubject(entry, subject));
}

export function coversSubject(entry: string, second: string): boolean {
  return entry.endsWith('*') ? second.startsWith(entry.slice(0, -1)) : entry === second;
}

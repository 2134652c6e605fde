/** Checks the trusted issuers of a passport, and converts them to their stored form. */

import { isIssuerText, isIssuerUrl, isSubjectEntry } from '../../base/values/trusted-issuer.ts';
import { type FieldError, pointer } from '../../errors.ts';
import type { PassportInput, TrustedIssuer } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { PublicKeyOptions } from '../../tokens/signing/public-key.ts';
import { toTrustedKey, trustedKeyErrors } from '../../tokens/signing/trusted-key.ts';
import { isObject, malformedEntries } from './budget-fields.ts';
import type { StoredTrustedIssuer } from './collections.ts';

type Members = { readonly [Field in keyof TrustedIssuer]?: unknown };

export function canonicalTrust(issuers: readonly TrustedIssuer[]): readonly StoredTrustedIssuer[] {
  return issuers.map(({ keys, ...issuer }) => ({
    ...issuer,
    ...(keys !== undefined && { keys: keys.map(toTrustedKey) }),
  }));
}

export function trustErrors(
  { trusted_issuers: list }: { readonly [Field in keyof PassportInput]?: unknown },
  options: PublicKeyOptions,
): readonly FieldError[] {
  if (!Array.isArray(list)) return [];
  const known = new Map<string, number>();
  return list.flatMap((entry: unknown, at): readonly FieldError[] => {
    if (!isObject(entry)) return [];
    const { issuer, use }: Members = entry;
    const name = JSON.stringify([issuer, use]);
    const first = known.get(name);
    const same = `Entry ${first} has this issuer and use.`;
    const errors = [
      ...(first === undefined ? [] : [{ path: '/issuer', code: 'duplicate', message: same }]),
      ...issuerErrors(entry, options),
    ];
    if (first === undefined) known.set(name, at);
    return errors.map((error) => ({ ...error, path: `${pointer('trusted_issuers', at)}${error.path}` }));
  });
}

function issuerErrors(entry: Members, options: PublicKeyOptions): readonly FieldError[] {
  const { issuer, use, keys, subjects } = entry;
  const errors: FieldError[] = [];
  const refuse = (path: string, code: string) =>
    errors.push({ path, code, message: mustBe(`/trusted_issuers/0${path}`) });
  if (typeof issuer === 'string') {
    const isRight = isIssuerText(issuer) && (keys !== undefined || isIssuerUrl(issuer, options));
    if (!isRight) refuse('/issuer', 'malformed');
  }
  if (use === 'workload' && subjects === undefined) refuse('/subjects', 'required');
  for (const name of use === 'user' ? (['max_agents', 'reuse'] as const) : []) {
    if (entry[name] !== undefined) refuse(`/${name}`, 'not_allowed');
  }
  for (const at of malformedEntries(subjects, isSubjectEntry)) refuse(`/subjects/${at}`, 'malformed');
  return [...errors, ...keyErrors(keys, options)];
}

function keyErrors(keys: unknown, options: PublicKeyOptions): readonly FieldError[] {
  return (Array.isArray(keys) ? keys : []).flatMap((key: unknown, at): readonly FieldError[] =>
    isObject(key)
      ? trustedKeyErrors(key, options).map((error) => ({ ...error, path: `/keys/${at}${error.path}` }))
      : [],
  );
}

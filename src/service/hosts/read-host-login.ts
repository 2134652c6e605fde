/** Reads the login that a host lends: each field once, and each by its rule. */
import { plainCopy } from '../../base/values/plain-data.ts';
import { ROLES } from '../../base/values/vocabulary.ts';
import { emailErrors } from '../../credential/email.ts';
import { type FieldError, notPlain, pointer, refuseAny } from '../../errors.ts';
import type { HostLogin, Role } from '../../records.ts';
import { isName, NAME_WORDS } from '../shared/people.ts';

/** The rule of a field, and the words for it. */
type FieldRule = readonly [fits: (value: unknown) => boolean, words: string];

const OWN_ID: FieldRule = [
  (value) => typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value),
  'text of 1 to 128 visible ASCII characters',
];
const NAME: FieldRule = [isName, NAME_WORDS];

/** The rule of each field. The compiler requires one for a new field. */
const RULES: Readonly<Record<keyof HostLogin, FieldRule>> = {
  account: OWN_ID,
  account_id: OWN_ID,
  member: OWN_ID,
  role: [(value) => ROLES.includes(value as Role), `one of ${ROLES.join(', ')}`],
  email: [(value) => typeof value === 'string' && emailErrors(value).length === 0, 'an e-mail address'],
  name: NAME,
  account_name: NAME,
};

const REQUIRED = ['member', 'role'] as const;

/** Returns a copy of the login; throws `invalid_request` with every field that breaks its rule, and no value. */
export function readHostLogin(given: unknown): HostLogin {
  const login = copyOf(given);
  refuseAny([...wrongFields(login), ...missingFields(login)]);
  return login as unknown as HostLogin;
}

/**
 * Copies the login before its fields are evaluated: a getter or a `Proxy` could answer otherwise at the second time.
 * `structuredClone` takes no `Proxy` at all.
 */
function copyOf(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw notPlain([]);
  try {
    return plainCopy(structuredClone(given)) as Readonly<Record<string, unknown>>;
  } catch {
    throw notPlain([]);
  }
}

function wrongFields(login: Readonly<Record<string, unknown>>): readonly FieldError[] {
  return Object.entries(login).flatMap(([name, value]) => {
    const path = pointer(name);
    if (!Object.hasOwn(RULES, name))
      return { path, code: 'unknown_field', message: 'There is no such field.' };
    const [fits, words] = RULES[name as keyof HostLogin];
    return fits(value) ? [] : { path, code: 'invalid', message: `This must be ${words}.` };
  });
}

function missingFields(login: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const missing: FieldError[] = REQUIRED.filter((name) => !Object.hasOwn(login, name)).map((name) => ({
    ...{ path: pointer(name), code: 'required', message: `This field is required: ${RULES[name][1]}.` },
  }));
  if (Object.hasOwn(login, 'account') !== Object.hasOwn(login, 'account_id')) return missing;
  const message = 'Name the account by either account or account_id.';
  return [...missing, { path: '/account', code: 'one_of', message }];
}

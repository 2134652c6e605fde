/** The file of `--oidc-map`: which claims of an issuer give a person which account and role. */
import { ROLES } from '../../../src/http/index.ts';
import type { IdentityService, Role } from '../../../src/index.ts';
import type { MappedPerson, OidcClaims } from '../../../src/types.ts';
import { ACCOUNT_NAME } from '../backend/named-account.ts';
import { nameOf, readJsonList } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';

/** An entry: a person whose claim has the value gets the role in the account. The first entry that fits counts. */
interface Entry {
  /** The name of a claim; one that begins with `/` is a JSON Pointer. */
  readonly claim: string;
  /** The value, equal to the claim or to an element of it. */
  readonly value: string | number | boolean;
  /** The e-mail of an account, its id, or the application's own id of it. */
  readonly account: string;
  readonly role: Role;
}

/** A map whose entries are sound. */
export interface PeopleMap {
  /** Finds the accounts; a usage error for an entry that names none. Until then no person is mapped. */
  bind(service: IdentityService): Promise<void>;
  readonly map: (claims: OidcClaims) => MappedPerson | null;
}

/** Reads the map in a file; a usage error that names the entry for what is no map. */
export async function readPeopleMap(path: string): Promise<PeopleMap> {
  const name = nameOf(path);
  const list = await readJsonList(path);
  if (list.length === 0) throw usageError(`${name}: There must be at least one entry.`);
  const entries = list.map((entry, at) => readEntry(entry, `${name}: entry ${at + 1}`));
  const ids = new Map<string, string>();
  return {
    async bind(service) {
      for (const [at, { account }] of entries.entries()) {
        const id = ids.get(account) ?? (await idOf(service, account));
        if (id === undefined) throw usageError(`${name}: entry ${at + 1} names no account: ${account}`);
        ids.set(account, id);
      }
    },
    map(claims) {
      const found = entries.find(({ claim, value }) => has(claimAt(claims, claim), value));
      const account_id = found && ids.get(found.account);
      return found === undefined || account_id === undefined ? null : { account_id, role: found.role };
    },
  };
}

const FIELDS = ['claim', 'value', 'account', 'role'] as const;

function readEntry(given: unknown, name: string): Entry {
  const entry = Object(given) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(entry).find((field) => !FIELDS.includes(field as keyof Entry));
  if (unknown !== undefined) throw usageError(`${name}: There is no field ${JSON.stringify(unknown)}.`);
  const { claim, value, account, role } = entry;
  if (typeof claim !== 'string' || claim === '' || claim === '/')
    throw usageError(`${name}: claim must be the name of a claim, or a JSON Pointer to it.`);
  if (!['string', 'number', 'boolean'].includes(typeof value))
    throw usageError(`${name}: value must be a text, a number, or true or false.`);
  if (typeof account !== 'string' || account === '')
    throw usageError(`${name}: account must be ${ACCOUNT_NAME}.`);
  if (!ROLES.includes(role as Role)) throw usageError(`${name}: role must be one of ${ROLES.join(', ')}.`);
  return { claim, value, account, role } as Entry;
}

async function idOf(service: IdentityService, account: string): Promise<string | undefined> {
  return (await service.accounts.find(account))?.id;
}

/** Returns the claim of this name, or at this JSON Pointer; `undefined` without one. */
function claimAt(claims: OidcClaims, claim: string): unknown {
  const names = claim.startsWith('/')
    ? claim
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : [claim];
  return names.reduce<unknown>((found, part) => {
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, part);
    return isThere ? (found as Readonly<Record<string, unknown>>)[part] : undefined;
  }, claims);
}

function has(claim: unknown, value: Entry['value']): boolean {
  return claim === value || (Array.isArray(claim) && claim.includes(value));
}

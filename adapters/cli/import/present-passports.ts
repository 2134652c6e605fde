/** Reads existing passports. */
import type { PassportQuery } from '../../../src/client.ts';
import { IdentityError, type Passport } from '../../../src/index.ts';
import type { Backend } from '../backend/methods.ts';

export type Readers = { readonly passports: Pick<Backend['passports'], 'get' | 'list'> };

export type FindPassport = (agentId: string) => Promise<Passport | undefined>;

const PAGE = 100;
const FEW = 100;

/**
 * Finds the existing passports of `count` agents. Listing all passports takes less time than one read per agent, unless
 * the account has many more than `count` passports.
 */
export async function presentPassports(backend: Readers, count: number): Promise<FindPassport> {
  if (count < FEW) return (agentId) => onePassport(backend, agentId);
  const passports = new Map<string, Passport>();
  for await (const data of pagesOf(backend)) {
    for (const passport of data) passports.set(passport.agent_id, passport);
    if (passports.size > 2 * count)
      return async (agentId) => passports.get(agentId) ?? onePassport(backend, agentId);
  }
  return async (agentId) => passports.get(agentId);
}

export async function onePassport(backend: Readers, agentId: string): Promise<Passport | undefined> {
  try {
    return await backend.passports.get(agentId);
  } catch (error) {
    if (error instanceof IdentityError && error.code === 'not_found') return undefined;
    throw error;
  }
}

export async function everyPassport(
  backend: { readonly passports: Pick<Backend['passports'], 'list'> },
  filter: PassportQuery = {},
): Promise<readonly Passport[]> {
  const passports: Passport[] = [];
  for await (const data of pagesOf(backend, filter)) passports.push(...data);
  return passports;
}

async function* pagesOf(
  { passports }: { readonly passports: Pick<Backend['passports'], 'list'> },
  filter: PassportQuery = {},
): AsyncIterable<readonly Passport[]> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await passports.list({ ...filter, limit: PAGE, ...(cursor !== undefined && { cursor }) });
    yield page.data;
    cursor = page.next_cursor;
  }
}

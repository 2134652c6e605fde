/** Finds the passports of an import that exist already. */
import { IdentityError, type Passport } from '../../../src/index.ts';
import type { Backend } from '../backend/verbs.ts';

/** The commands that read passports. */
export type Readers = { readonly passports: Pick<Backend['passports'], 'get' | 'list'> };

/** Finds the passport of the account, or `undefined` if there is no such passport. */
export type FindPassport = (agentId: string) => Promise<Passport | undefined>;

const PAGE = 100;
/** Fewer lines than this are read one by one. */
const FEW = 100;

/**
 * Finds the existing passports of a file of `lines` lines. Listing all passports takes less time than one read per line,
 * unless the account has many more than the file.
 */
export async function presentPassports(backend: Readers, lines: number): Promise<FindPassport> {
  if (lines < FEW) return (agentId) => onePassport(backend, agentId);
  const found = new Map<string, Passport>();
  for await (const { data } of backend.passports.list({ limit: PAGE })) {
    for (const passport of data) found.set(passport.agent_id, passport);
    if (found.size > 2 * lines) return async (agentId) => found.get(agentId) ?? onePassport(backend, agentId);
  }
  return async (agentId) => found.get(agentId);
}

/** Returns the present passport, or `undefined` if it does not exist. */
export async function onePassport(backend: Readers, agentId: string): Promise<Passport | undefined> {
  try {
    return await backend.passports.get(agentId);
  } catch (error) {
    if (error instanceof IdentityError && error.code === 'not_found') return undefined;
    throw error;
  }
}

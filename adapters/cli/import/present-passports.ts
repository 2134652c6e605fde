/** Which passports of an import exist already. */
import { IdentityError, type Passport } from '../../../src/index.ts';
import type { Backend } from '../backend/verbs.ts';

/** What reads passports. */
export type Readers = Pick<Backend, 'getPassport' | 'listPassports'>;

/** The passport of the account, or `undefined` where there is none. */
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
  let cursor: string | null = null;
  do {
    const request = { limit: PAGE, ...(cursor !== null && { cursor }) };
    const page: Awaited<ReturnType<Backend['listPassports']>> = await backend.listPassports(request);
    for (const passport of page.data) found.set(passport.agent_id, passport);
    cursor = page.next_cursor;
  } while (cursor !== null && found.size <= 2 * lines);
  if (cursor === null) return async (agentId) => found.get(agentId);
  return async (agentId) => found.get(agentId) ?? onePassport(backend, agentId);
}

/** The passport as it is now. */
export async function onePassport(backend: Readers, agentId: string): Promise<Passport | undefined> {
  try {
    return await backend.getPassport(agentId);
  } catch (error) {
    if (error instanceof IdentityError && error.code === 'not_found') return undefined;
    throw error;
  }
}

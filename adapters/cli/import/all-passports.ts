import type { Passport } from '../../../src/index.ts';
import type { Backend } from '../backend/verbs.ts';
import { parentsFirst } from './parents-first.ts';

/** Every passport of an account, by `agent_id`, parents first: an order that is the same wherever they are stored. */
export async function allPassports(
  backend: Pick<Backend, 'listPassports'>,
  onRead: (count: number) => void,
): Promise<readonly Passport[]> {
  const found: Passport[] = [];
  let cursor: string | null = null;
  do {
    const request = { limit: 100, ...(cursor !== null && { cursor }) };
    const page: Awaited<ReturnType<Backend['listPassports']>> = await backend.listPassports(request);
    found.push(...page.data);
    onRead(found.length);
    cursor = page.next_cursor;
  } while (cursor !== null);
  const { generations, lost } = parentsFirst(found.map(withParent));
  return [...generations.flat(), ...lost].map(({ passport }) => passport);
}

function withParent(passport: Passport & { readonly parent_agent_id?: string }) {
  const { agent_id, parent_agent_id } = passport;
  return { agent_id, parent_agent_id, passport };
}

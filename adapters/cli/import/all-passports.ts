import type { Passport } from '../../../src/index.ts';
import type { Backend } from '../backend/verbs.ts';
import { parentsFirst } from './parents-first.ts';

/**
 * Reads every passport of an account, by `agent_id`, parents first: an order that is the same wherever they are stored.
 */
export async function allPassports(
  { passports }: { readonly passports: Pick<Backend['passports'], 'list'> },
  onRead: (count: number) => void,
): Promise<readonly Passport[]> {
  const found: Passport[] = [];
  for await (const { data } of passports.list({ limit: 100 })) {
    found.push(...data);
    onRead(found.length);
  }
  const { generations, lost } = parentsFirst(found.map(withParent));
  return [...generations.flat(), ...lost].map(({ passport }) => passport);
}

function withParent(passport: Passport & { readonly parent_agent_id?: string }) {
  const { agent_id, parent_agent_id } = passport;
  return { agent_id, parent_agent_id, passport };
}

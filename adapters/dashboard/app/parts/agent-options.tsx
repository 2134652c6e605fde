import type { JSX } from 'preact';
import type { Page, Passport } from '../../../../src/types.ts';
import { call } from '../state/api.ts';
import { useLoad } from '../state/load.ts';

const NEWEST = '/passports?limit=100';

export const AGENTS = 'agents';

export function useNewestPassports(): readonly Passport[] {
  const { data } = useLoad(NEWEST, (signal) => call<Page<Passport>>('GET', NEWEST, { signal }));
  return data?.data ?? [];
}

export function AgentOptions({ passports }: { passports: readonly Passport[] }): JSX.Element {
  return (
    <datalist id={AGENTS}>
      {passports.map(({ agent_id }) => (
        <option key={agent_id} value={agent_id} />
      ))}
    </datalist>
  );
}

import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AccountOverview } from '../../../../src/types.ts';
import { call } from './api.ts';
import { useLoad } from './load.ts';

/** The endpoints that the role of the person may not call; `undefined` until they are known. */
const refused: Signal<readonly string[] | undefined> = signal(undefined);

/**
 * Says whether the role of the person may call an endpoint, named by its method and its path in the table of endpoints.
 * `false` until the role is known.
 */
export function may(endpoint: `${string} /${string}`): boolean {
  return refused.value?.includes(endpoint) === false;
}

/** The refused endpoints of each role, once they were asked for. */
let byRole: Promise<Readonly<Record<string, readonly string[]>>> | undefined;

/**
 * Loads what the role of the person may not call, with each page anew: a role may change. If the list of the roles does
 * not come, everything is offered, and the API refuses.
 */
export function useRights(page: string): void {
  const { data } = useLoad(page, async (signal) => {
    byRole ??= fetch('roles.json')
      .then((answer) => answer.json())
      .catch(() => ({}));
    const { member } = await call<AccountOverview>('GET', '/account', { signal });
    return (await byRole)[member?.role ?? ''] ?? [];
  });
  useEffect(() => {
    if (data !== undefined) refused.value = data;
  }, [data]);
  // The next person may have another role.
  useEffect(
    () => () => {
      refused.value = undefined;
    },
    [],
  );
}

import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AccountOverview } from '../../../../src/types.ts';
import { call } from './api.ts';
import { useLoad } from './load.ts';

/** The account, with the member that is signed in; `undefined` until it is known. */
export const account: Signal<AccountOverview | undefined> = signal(undefined);

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
 * Loads what the role of the person may not call, with each page again: a role may change. If the list of the roles does
 * not come, everything is offered, and the API refuses.
 */
export function useRights(page: string): void {
  const { data } = useLoad(page, async (signal) => {
    byRole ??= fetch('roles.json')
      .then((answer) => answer.json())
      .catch(() => ({}));
    const overview = await loadAccount(signal);
    return { overview, roles: (await byRole)[overview.member?.role ?? ''] ?? [] };
  });
  useEffect(() => {
    if (data === undefined) return;
    account.value = data.overview;
    refused.value = data.roles;
  }, [data]);
  // The next person may have another role.
  useEffect(
    () => () => {
      account.value = undefined;
      refused.value = undefined;
    },
    [],
  );
}

export function loadAccount(signal: AbortSignal): Promise<AccountOverview> {
  return call<AccountOverview>('GET', '/account', { signal });
}

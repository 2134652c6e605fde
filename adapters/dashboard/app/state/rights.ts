import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AccountOverview } from '../../../../src/types.ts';
import { call } from './api.ts';
import { useLoad } from './load.ts';

export const account: Signal<AccountOverview | undefined> = signal(undefined);

const refused: Signal<readonly string[] | undefined> = signal(undefined);

/**
 * Says whether the person's role may call an endpoint, which is named by its method and path. Returns `false` until the
 * role is known.
 */
export function may(endpoint: `${string} /${string}`): boolean {
  return refused.value?.includes(endpoint) === false;
}

let byRole: Promise<Readonly<Record<string, readonly string[]>>> | undefined;

/**
 * Loads what the person's role may not do, and repeats this on each page, because a role may change. If the roles
 * cannot be loaded, everything is offered, and the API refuses what is not permitted.
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

/** The accounts that have listeners, with their state: created with the first listener, removed with the last. */

/** The listeners of one account. */
export interface LiveAccount<Listener, State> {
  readonly account_id: string;
  readonly listeners: Set<Listener>;
  readonly state: State;
  /** Settles after the first read: everything that is stored from then on is reported. */
  readonly ready: Promise<void>;
}

/** All accounts with listeners. */
export interface LiveAccounts<Listener, State> {
  readonly size: number;
  get(account_id: string): LiveAccount<Listener, State> | undefined;
  all(): readonly LiveAccount<Listener, State>[];
  /** Adds a listener; settles when it gets every event from now on. The returned function removes it. */
  join(account_id: string, listener: Listener): Promise<() => void>;
}

/** Makes an empty set of accounts. `begin` reads an account for the first time. */
export function createLiveAccounts<Listener, State>(
  begin: (account_id: string) => { readonly state: State; readonly ready: Promise<void> },
): LiveAccounts<Listener, State> {
  const accounts = new Map<string, LiveAccount<Listener, State>>();

  function leave(account: LiveAccount<Listener, State>, listener: Listener): void {
    account.listeners.delete(listener);
    if (account.listeners.size === 0 && accounts.get(account.account_id) === account)
      accounts.delete(account.account_id);
  }

  return {
    get size() {
      return accounts.size;
    },
    get: (account_id) => accounts.get(account_id),
    all: () => [...accounts.values()],
    async join(account_id, listener) {
      const account = accounts.get(account_id) ?? {
        account_id,
        listeners: new Set<Listener>(),
        ...begin(account_id),
      };
      accounts.set(account_id, account);
      account.listeners.add(listener);
      try {
        await account.ready;
      } catch (error) {
        leave(account, listener);
        throw error;
      }
      return () => leave(account, listener);
    },
  };
}

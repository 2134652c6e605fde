/** The accounts that have listeners, and what is known of each: made with the first listener, gone with the last. */

/** The listeners of one account. */
export interface LiveAccount<Listener, State> {
  readonly account_id: string;
  readonly listeners: Set<Listener>;
  readonly state: State;
  /** Settles after its first read: what happens from then on is reported. */
  readonly ready: Promise<void>;
}

/** All of them. */
export interface LiveAccounts<Listener, State> {
  readonly size: number;
  get(account_id: string): LiveAccount<Listener, State> | undefined;
  all(): readonly LiveAccount<Listener, State>[];
  /** Adds a listener; settles when it gets all that happens from now on. The function takes it away again. */
  join(account_id: string, listener: Listener): Promise<() => void>;
}

/** No account yet. `begin` reads one for the first time. */
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

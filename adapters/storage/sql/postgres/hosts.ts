import { readPostgresUrl } from './url.ts';

/** The hosts that the URL of a database lists. Connections are made to one of them, the host in use. */
export interface Hosts {
  readonly count: number;
  /** The time limit of an attempt to connect to one of several hosts, in milliseconds. */
  readonly attemptMs: number;
  /** Makes the class of the clients of a pool. Each client connects to the host in use at that moment. */
  clients(Client: ClientClass): ClientClass;
  /** Makes the host of a client the one in use, because it takes writes. */
  use(client: object): void;
  /** Makes the next host the one in use, unless another one than that of the client is in use already. */
  leave(client: object): void;
}

/** The class `Client` of `pg`, as far as it is used. */
export type ClientClass = new (
  config: object,
) => {
  connect(onEnd: (error?: unknown) => void): void;
};

/** The part of a call's time limit that one attempt takes, so that two hosts can be tried within it. */
const ATTEMPT_SHARE = 0.4;

/** Reads the hosts of a URL, for calls with that time limit. Throws as `readPostgresUrl` does. */
export function readHosts(url: string, timeoutMs: number): Hosts {
  const urls = readPostgresUrl(url);
  const attemptMs = timeoutMs * ATTEMPT_SHARE;
  const hostOf = new WeakMap<object, number>();
  let current = 0;

  function leave(client: object): void {
    if (hostOf.get(client) === current) current = (current + 1) % urls.length;
  }

  return {
    count: urls.length,
    attemptMs,
    clients: (Client) =>
      class extends Client {
        constructor(config: object) {
          const limits = urls.length === 1 ? {} : { connectionTimeoutMillis: attemptMs };
          const host = current;
          super({ ...config, ...limits, connectionString: urls[host] });
          hostOf.set(this, host);
        }

        override connect(onEnd: (error?: unknown) => void): void {
          super.connect((error) => {
            if (error) leave(this);
            onEnd(error);
          });
        }
      },
    use(client) {
      current = hostOf.get(client) ?? current;
    },
    leave,
  };
}

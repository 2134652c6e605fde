import { createElapsedClock } from '../../../../src/ports/index.ts';
import { readLibpqOptions } from './libpq-parameters.ts';
import { readPostgresUrl } from './url.ts';

/** The hosts in the URL of a database. All connections lead to one of them, the host in use. */
export interface Hosts {
  readonly count: number;
  /** The time limit of an attempt to connect to one of several hosts, in milliseconds. */
  readonly attemptMs: number;
  /** Returns the class of the clients for a pool. Each client connects to the host that is in use at that moment. */
  clients(Client: ClientClass): ClientClass;
  /** Makes the host of this client the host in use, because it accepts writes. */
  use(client: object): void;
  /** Switches to the next host, if the host in use is the host of this client. */
  leave(client: object): void;
  /** Records a sign that the server is gone. */
  miss(): void;
  /**
   * Returns the host and port of this client, if the URL has them, and the time since the first sign that the server is
   * gone. Without a client of this URL, returns the host in use.
   */
  state(client?: object): HostState;
}

/** A host. */
export interface HostState {
  readonly address?: string;
  /** Milliseconds since the first sign that the server is gone; 0 if there was none since a host was last used. */
  readonly withoutMs: number;
}

/** The part of the class `Client` of `pg` that the storage uses. */
export type ClientClass = new (
  config: object,
) => {
  connect(onEnd: (error?: unknown) => void): void;
  end(): unknown;
  /** The connection, which reports the authentication methods of a server. */
  readonly connection: {
    once(event: 'authenticationSASL', listener: (message: SaslOffer) => void): unknown;
  };
};

type SaslOffer = { readonly mechanisms: readonly string[] };

/** The share of a call's time limit for one attempt to connect. It allows two attempts within the limit. */
const ATTEMPT_SHARE = 0.4;

/**
 * Reads the hosts of a URL, for calls with this time limit. `onMiss` is called at each sign that the server is gone.
 * Throws as `readPostgresUrl` does.
 */
export function readHosts(url: string, timeoutMs: number, onMiss: () => void = ignore): Hosts {
  const urls = readPostgresUrl(url);
  const attemptMs = timeoutMs * ATTEMPT_SHARE;
  const { config: libpq, mustBind } = readLibpqOptions(url, urls.length === 1 ? timeoutMs : attemptMs);
  const hostOf = new WeakMap<object, number>();
  const { elapsed } = createElapsedClock();
  let current = 0;
  let missedAt: number | undefined;

  function miss(): void {
    missedAt ??= elapsed();
    onMiss();
  }

  function leave(client: object): void {
    miss();
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
          super({ ...config, ...limits, ...libpq, connectionString: urls[host] });
          hostOf.set(this, host);
        }

        override connect(onEnd: (error?: unknown) => void): void {
          let binds = false;
          this.connection.once('authenticationSASL', ({ mechanisms }) => {
            binds = mechanisms.includes('SCRAM-SHA-256-PLUS');
          });
          super.connect((failedError) => {
            const isUnbound = !failedError && mustBind && !binds;
            if (isUnbound) this.end();
            const error = isUnbound ? unbound() : failedError;
            if (error) leave(this);
            onEnd(error);
          });
        }
      },
    use(client) {
      current = hostOf.get(client) ?? current;
      missedAt = undefined;
    },
    leave,
    miss,
    state(client) {
      // Another client may have left the host in use while this client is greeted.
      const host = client === undefined ? undefined : hostOf.get(client);
      const address = addressOf(urls[host ?? current]);
      const withoutMs = missedAt === undefined ? 0 : Math.round(elapsed() - missedAt);
      return { ...(address !== undefined && { address }), withoutMs };
    },
  };
}

function ignore(): void {}

function unbound(): Error {
  return new Error('The server offers no channel binding, which channel_binding=require of its URL needs.');
}

function addressOf(url: string | undefined): string | undefined {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : '';
  return host === '' ? undefined : host;
}

import { expect, onTestFinished } from 'vitest';
import { nodeWebhookTransport } from '../../adapters/node/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { AccessTokenOptions } from '../../src/access-tokens/index.ts';
import {
  type AuthzenOptions,
  type EveryCapability,
  type EvidenceOptions,
  everyCapability,
  type IdentityOptions,
  type PlainCapabilities,
  type WholeService,
} from '../../src/capabilities.ts';
import { createIdentityService, type IdentityServiceOptions, type ServiceWith } from '../../src/core.ts';
import { passwordHasher } from '../../src/credential/password.ts';
import type { OidcOptions } from '../../src/people/index.ts';
import type { After } from '../../src/ports/host.ts';
import type { LogEvent, PasswordHasher, StorageAdapter } from '../../src/ports/storage.ts';
import type { WebhookOptions } from '../../src/webhooks/index.ts';
import { PATIENT_MS } from './patience.ts';

/** When every test begins. */
export const START: number = Date.parse('2026-11-20T12:00:00.000Z');
export const MINUTE: number = 60_000;
export const HOUR: number = 60 * MINUTE;

/** The address at which third parties reach a service. */
export const PUBLIC_URL = 'https://id.example.net/api';

export const SECRET = 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!';
export const PASSWORD = 'Ein-Gutes-Kennwort-7';

/** A clock that moves only when the test moves it. */
export interface ManualClock {
  now(): number;
  monotonic(): number;
  advance(ms: number): void;
  /** The instant the given milliseconds from now. */
  instant(offsetMs?: number): string;
}

/** Timers that only run out when the clock is moved by `pass`. */
export interface ManualTimers {
  readonly after: After;
  /** Moves the clock in steps of a second; what runs out has settled before the next step. */
  pass(ms: number): Promise<void>;
  /** Ends every wait of at most the given milliseconds while the clock stands still. */
  skip(ms: number): void;
}

/** A service with the capabilities that need no option. */
export type PlainService = ServiceWith<PlainCapabilities>;

export interface Opened {
  readonly service: WholeService;
  readonly storage: StorageAdapter;
  readonly clock: ManualClock;
  readonly timers: ManualTimers;
  /** The lines of the log about the state of the service. */
  readonly logs: readonly LogEvent[];
  /** The lines of the log about logins, keys, accounts, domains and passports: events with a dot in their name. */
  readonly trail: readonly LogEvent[];
  /** Keys, tokens and passwords that were handed out: no log and no answer may hold one. */
  readonly secrets: Set<string>;
  readonly hashing: HashCounts;
}

/** The options of a service with every capability; without `webhooks` it has none of them. */
export type WholeOptions = Partial<Omit<IdentityServiceOptions, 'capabilities'>> & {
  readonly webhooks?: WebhookOptions;
  readonly accessTokens?: AccessTokenOptions;
  /** Absent: with logins, a service that signs passports; otherwise none. */
  readonly identity?: IdentityOptions | undefined;
  /** Absent: the log is kept where the storage says that it is on. */
  readonly evidence?: EvidenceOptions;
  readonly authzen?: AuthzenOptions;
  readonly oidc?: OidcOptions;
};

export interface HashCounts {
  hashed: number;
  verified: number;
  verifiedNothing: number;
}

export function manualClock(start: number = START): ManualClock {
  let at = start;
  return {
    now: () => at,
    monotonic: () => at,
    advance(ms) {
      at += ms;
    },
    instant: (offsetMs = 0) => new Date(at + offsetMs).toISOString(),
  };
}

function manualTimers(clock: ManualClock): ManualTimers {
  const waiting = new Set<{ readonly due: number; readonly callback: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  const end = (due: number) => {
    for (const one of [...waiting]) if (one.due <= due && waiting.delete(one)) one.callback();
  };
  return {
    after(ms, callback) {
      const one = { due: clock.now() + ms, callback };
      waiting.add(one);
      return () => waiting.delete(one);
    },
    async pass(ms) {
      for (let left = ms; left > 0; left -= 1_000) {
        clock.advance(Math.min(left, 1_000));
        end(clock.now());
        await settle();
      }
    },
    skip: (ms) => end(clock.now() + ms),
  };
}

/** A service over memory, with logins; when the test ends its log is searched for secrets. */
export function openService(given: WholeOptions = {}, openedClock?: ManualClock): Opened {
  const { webhooks, accessTokens, evidence, authzen, identity: _, oidc, ...options } = given;
  const identity = 'identity' in given ? given.identity : { publicUrl: PUBLIC_URL };
  const clock = openedClock ?? manualClock();
  const timers = manualTimers(clock);
  const storage = options.storage ?? memoryStorage();
  const [logs, trail]: [LogEvent[], LogEvent[]] = [[], []];
  const secrets = new Set([SECRET, PASSWORD]);
  const hashing: HashCounts = { hashed: 0, verified: 0, verifiedNothing: 0 };
  const service = createIdentityService({
    session: { secret: SECRET },
    capabilities: everyCapability({
      webhooks: webhooks ?? { transport: nodeWebhookTransport(), sends: false },
      evidence: evidence ?? { begins: false },
      // A test that turns it off does not call its methods.
      identity: identity as IdentityOptions,
      ...{ accessTokens, authzen, people: { oidc } },
    }),
    clock,
    after: timers.after,
    passwordHasher: counted(passwordHasher({ cost: { ln: 4, r: 8, p: 1 } }), hashing),
    storageDeadlineMs: PATIENT_MS,
    ...options,
    storage,
    log(event) {
      (isTrail(event) ? trail : logs).push(event);
      options.log?.(event);
    },
  });
  onTestFinished(async () => {
    expectNoSecret(JSON.stringify([logs, trail]), secrets);
    await service.close();
  });
  return { service, storage, clock, timers, logs, trail, secrets, hashing };
}

/** Whether a line tells what a caller did, not what state the service is in. */
function isTrail({ event }: LogEvent): boolean {
  return event.includes('.');
}

/** A service without logins: one account, `acc_local`. */
export function openLocalService(given: WholeOptions = {}): Opened {
  const {
    webhooks,
    accessTokens: _,
    evidence = { begins: false },
    authzen,
    identity,
    oidc,
    ...options
  } = given;
  const clock = manualClock();
  const storage = options.storage ?? memoryStorage();
  const [logs, trail]: [LogEvent[], LogEvent[]] = [[], []];
  const timers = manualTimers(clock);
  const { after } = timers;
  // A service without a secret has no webhooks, and every test that calls them here is wrong.
  const capabilities = everyCapability({
    webhooks,
    evidence,
    authzen,
    identity,
    people: { oidc },
  }) as unknown as EveryCapability<{
    readonly webhooks: WebhookOptions;
    readonly identity: IdentityOptions;
    readonly evidence: EvidenceOptions;
  }>;
  const service = createIdentityService({
    capabilities,
    clock,
    after,
    log: (event) => (isTrail(event) ? trail : logs).push(event),
    storageDeadlineMs: PATIENT_MS,
    ...options,
    storage,
  });
  onTestFinished(() => service.close());
  const hashing = { hashed: 0, verified: 0, verifiedNothing: 0 };
  return { service, storage, clock, timers, logs, trail, secrets: new Set(), hashing };
}

export function expectNoSecret(text: string, secrets: Iterable<string>): void {
  for (const secret of secrets) {
    if (text.includes(secret)) expect.fail(`A secret of ${secret.length} characters is shown: ${text}`);
  }
}

function counted(hasher: PasswordHasher, counts: HashCounts): PasswordHasher {
  return {
    hash(password) {
      counts.hashed += 1;
      return hasher.hash(password);
    },
    verify(password, hash) {
      counts.verified += 1;
      return hasher.verify(password, hash);
    },
    verifyNothing(password) {
      counts.verifiedNothing += 1;
      return hasher.verifyNothing(password);
    },
  };
}

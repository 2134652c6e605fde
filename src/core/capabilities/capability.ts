/** The types of a capability: a part of the service that an application lists. */
import type { Authzen } from '../../base/authzen.ts';
import type { LogSigner } from '../../identity/log-signer.ts';
import type { SignEd25519, TokenSigner } from '../../identity/token-signer.ts';
import type { OperationTable } from '../../operations/operation.ts';
import type { ServiceFigures } from '../../ports/metrics.ts';
import type { VerifierAsk } from '../../records/verifier.ts';
import type { Rule } from '../../verdict/index.ts';
import type { ClaimDomain } from '../domains/rules.ts';
import type { Journal } from '../journal/journal.ts';
import type { HostKeys } from '../keys/keys.ts';
import type { IdentitySettings } from '../options.ts';
import type { StatusSlots } from '../passports/status-slots.ts';
import type { Actor, AuthenticateHost, KeyCallers, SessionCaller } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import type { PublicPlaces } from '../storage/public-reads.ts';
import type { CallCounts, DecidedElsewhere } from '../verification/rates.ts';
import type { TakePermitted } from '../verification/takings.ts';
import type { IssueParts } from '../verification/verify.ts';
import type { LocalMethod } from './open-rooms.ts';

/** A part of the service that an application lists in `options.capabilities`. */
export interface Capability<out Rooms extends object = object, out AccountRooms extends object = object> {
  /** The name, such as `webhooks`. A service has each capability once. */
  readonly name: string;
  /** Carries the types of the methods in process, and of the methods for one account. It has no value at runtime. */
  readonly types?: readonly [Rooms, AccountRooms];
}

/** A capability with the members that only the service uses. */
export interface WholeCapability<out Rooms extends object = object, out AccountRooms extends object = object>
  extends Capability<Rooms, AccountRooms> {
  /** The names of capabilities that must be listed as well, in any order. */
  readonly needs?: readonly string[];
  /** The settings that other parts read. Only `identity` has them, and it is opened first. */
  readonly settings?: IdentitySettings;
  /** The tables of its operations. */
  readonly operations: readonly OperationTable[];
  /**
   * Starts the capability for one service.
   *
   * @throws {IdentityError} `invalid_configuration` for options that cannot work.
   */
  open(core: Core): OpenCapability;
}

/**
 * Counts a running call with this body, or throws `rate_limited`. Call the returned function at the end of the call.
 */
export type CountCall = (caller: SessionCaller, body: unknown) => () => void;

/** A capability that was started for one service. */
export interface OpenCapability {
  /**
   * The methods by group, such as `webhooks`. If the core has a group of the same name, the methods are added to it.
   */
  readonly rooms: Readonly<Record<string, object>>;
  /**
   * The methods outside the tables of operations, by group. They are for the application and for HTTP, and take no
   * actor.
   */
  readonly hostRooms?: Readonly<Record<string, object>>;
  /** The methods of `rooms` that take an actor in their options, but are not in the tables of operations. */
  readonly locals?: readonly LocalMethod[];
  /** Returns the methods of one actor that are not in the tables of operations. */
  accountRooms?(actor: Actor & { readonly account_id: string }): object;
  /** The functions that limit operations over HTTP, by the name of the operation. */
  readonly limits?: Readonly<Record<string, CountCall>>;
  /** Functions for the core and for other capabilities. */
  readonly offers?: Readonly<Partial<Offers>>;
  /** Encrypts the stored secrets of the capability with the present secret. Returns the number of changed secrets. */
  reseal?(): Promise<number>;
  /** Rejects if the node must not serve requests. */
  ready?(): Promise<unknown>;
  /** Returns the figures of the capability for `metrics`. */
  figures?(): Partial<ServiceFigures>;
  /** Stops the work of the capability. The storage is still open. */
  stop?(): Promise<void>;
  /** Ends the work that must wait until the journal has stored its last record. */
  close?(): Promise<void>;
}

/** The functions that the core and capabilities offer to each other. */
export interface Offers {
  /** Signs with the published signing key of the service; absent without such a key. */
  readonly signEd25519: SignEd25519;
  /** Signs tokens with the keys for signed passports; absent without a public URL. */
  readonly tokens: TokenSigner;
  /** The modules with which a capability evaluates intents and issues tokens with the verdicts. */
  readonly issuing: IssueParts;
  /** Assigns slots of status lists to new passports. Absent if the service signs no passports. */
  readonly statusSlots: StatusSlots;
  /** Takes the amounts of a verdict and signs its permit. Absent if the service signs no permits. */
  readonly takePermitted: TakePermitted;
  /** Limits how many reads of unknown callers run at the same time. */
  readonly publicPlaces: PublicPlaces;
  /** Counts verifications against the plan of an account; throws `rate_limited`. */
  readonly countVerifications: CallCounts['countVerifications'];
  /** Counts verifications that a local verifier has decided. */
  readonly decidedElsewhere: DecidedElsewhere;
  /** Reads the callers of API keys again. */
  readonly callers: KeyCallers;
  /** Signs the checkpoints of evidence logs; absent without a signing key. */
  readonly logSigner: LogSigner;
  /** The AuthZEN settings. */
  readonly authzen: Authzen;
  /**
   * Claims a domain for an account, which gets a token to verify the domain. It is for a service in which an
   * account must verify a domain before it issues a passport.
   */
  readonly claimDomain: ClaimDomain;
  /** Revokes an API key. */
  readonly revokeKey: HostKeys['revoke'];
  /** Begins the erasure of deleted accounts. */
  readonly wakeErasures: () => void;
  /** Returns the caller for a login of the application. */
  readonly authenticateHost: AuthenticateHost;
  /** The name on the sign-in button for an issuer. */
  readonly oidcLabel: string;
}

/** The names of the functions that every core offers. `issuing` is there after all capabilities are open. */
export type CoreOffer =
  | 'publicPlaces'
  | 'countVerifications'
  | 'decidedElsewhere'
  | 'callers'
  | 'revokeKey'
  | 'wakeErasures'
  | 'issuing';

/** A part that several capabilities share. */
export interface Shared {
  /** Ends the work of the part before the journal closes. */
  close(): Promise<void>;
}

/** The core of a service, as a capability sees it. */
export interface Core extends Context {
  readonly rules: readonly Rule[];
  readonly journal: Journal;
  /**
   * The reason why local verifiers must send every request to the service; `null` if they may decide. A local
   * verifier evaluates intents in the process of a client.
   */
  readonly ask: Exclude<VerifierAsk, 'rate'> | null;
  /** The secrets that encrypt stored keys, the present secret first; empty if there is none. */
  readonly sealingSecrets: readonly string[];
  /** `true` if the previous session secret is lost, so that what it has encrypted cannot be read again. */
  readonly isSecretLost: boolean;
  /** Opens a part that several capabilities share, once per service. The service closes it. */
  use<Part extends Shared>(open: (core: Core) => Part): Part;
  /** Returns a function that the core offers to every capability. */
  demanded<Name extends CoreOffer>(name: Name): Offers[Name];
  /** Returns a function that another part offers, or `undefined`. Call it only after all capabilities are open. */
  offered<Name extends keyof Offers>(name: Name): Offers[Name] | undefined;
}

/**
 * The methods of a list of capabilities: in process if `Side` is 0, for one account if it is 1. They are optional if
 * the length of the list is unknown.
 */
export type RoomsOf<Listed extends readonly Capability[], Side extends 0 | 1> = Listed extends readonly [
  infer First,
  ...infer Rest extends readonly Capability[],
]
  ? (First extends { readonly types?: readonly [infer Rooms, infer Account] }
      ? Side extends 0
        ? Rooms
        : Account
      : object) &
      RoomsOf<Rest, Side>
  : number extends Listed['length']
    ? Partial<
        (
          Listed[number] extends infer One
            ? One extends { readonly types?: readonly [infer Rooms, infer Account] }
              ? (part: Side extends 0 ? Rooms : Account) => void
              : never
            : never
        ) extends (part: infer Whole) => void
          ? Whole
          : never
      >
    : object;

/** The types of a capability: a part of the service that an application lists. */
import type { Authzen } from '../../base/authzen.ts';
import type { OperationTable } from '../../operations/operation.ts';
import type { ServiceFigures } from '../../ports/metrics.ts';
import type { VerifierAsk } from '../../records/verifier.ts';
import type { Rule } from '../../verdict/index.ts';
import type { Journal } from '../journal/journal.ts';
import type { KeyCallers, SessionCaller } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import type { LogSigner, SignEd25519 } from '../signing/signing.ts';
import type { TokenSigner } from '../signing/token-signer.ts';
import type { PublicPlaces } from '../storage/public-reads.ts';
import type { CallCounts, DecidedElsewhere } from '../verification/call-counts.ts';
import type { Issue } from '../verification/issued.ts';

/** A part of the service that an application lists in `options.capabilities`. */
export interface Capability<out Rooms extends object = object, out AccountRooms extends object = object> {
  /** The name, such as `webhooks`. A service has each capability once. */
  readonly name: string;
  /** Carries the types of the rooms: in process, and for one account. It is never set. */
  readonly types?: readonly [Rooms, AccountRooms];
}

/** A capability with the parts that only the service uses. */
export interface WholeCapability<out Rooms extends object = object, out AccountRooms extends object = object>
  extends Capability<Rooms, AccountRooms> {
  /** The tables of its methods. */
  readonly operations: readonly OperationTable[];
  /** Starts it for one service. Throws `invalid_configuration` for options that cannot work. */
  open(core: Core): OpenCapability;
}

/** Counts a call with this body, or throws `rate_limited`. The returned function is called at the end of the call. */
export type CountCall = (caller: SessionCaller, body: unknown) => () => void;

/** A capability that was opened for one service. */
export interface OpenCapability {
  /** The methods by room. A room that the core has gets them in addition. */
  readonly rooms: Readonly<Record<string, object>>;
  /** The methods that are no operations, by room. They are for the application and for HTTP, and name no actor. */
  readonly hostRooms?: Readonly<Record<string, object>>;
  /** The limits of its operations over HTTP, by their names. */
  readonly limits?: Readonly<Record<string, CountCall>>;
  /** Functions for the core and for other capabilities. */
  readonly offers?: Readonly<Partial<Offers>>;
  /** Encrypts its stored secrets with the present secret, and returns the number of secrets that it changed. */
  reseal?(): Promise<number>;
  /** Rejects if a node must not serve. */
  ready?(): Promise<unknown>;
  /** Returns its figures for `metrics`. */
  figures?(): Partial<ServiceFigures>;
  /** Stops its work. The storage is still open. */
  stop?(): Promise<void>;
  /** Ends the work after the journal, after its last record is stored. */
  close?(): Promise<void>;
}

/** Functions for capabilities, each from a part of the service. */
export interface Offers {
  /** Signs with the published key of the service; absent without such a key. */
  readonly signEd25519: SignEd25519;
  /** Signs tokens by the keys of passports; absent without a public URL. */
  readonly tokens: TokenSigner;
  /** Gives verdicts with tokens. */
  readonly issue: Issue;
  /** Limits the reads for callers who are not known. */
  readonly publicPlaces: PublicPlaces;
  /** Counts verifications against the plan of an account; throws `rate_limited`. */
  readonly countVerifications: CallCounts['countVerifications'];
  /** Counts verifications that were decided elsewhere. */
  readonly decidedElsewhere: DecidedElsewhere;
  /** Reads the callers of keys again. */
  readonly callers: KeyCallers;
  /** Signs the checkpoints of logs; absent without a signing key. */
  readonly logSigner: LogSigner;
  /** The AuthZEN settings. */
  readonly authzen: Authzen;
}

/** The names of the functions that every core offers. */
export type CoreOffer = 'publicPlaces' | 'countVerifications' | 'decidedElsewhere' | 'callers';

/** The core of a service, as a capability sees it. */
export interface Core extends Context {
  readonly rules: readonly Rule[];
  readonly journal: Journal;
  /** The reason why no local verifier may decide for this service; `null` if they may. */
  readonly ask: Exclude<VerifierAsk, 'rate'> | null;
  /** The secrets that encrypt stored keys, the present secret first; empty without a secret. */
  readonly sealingSecrets: readonly string[];
  /** Opens a part that several capabilities share, once per service. */
  use<Part>(open: (core: Core) => Part): Part;
  /** Returns what the core offers to every capability. */
  demanded<Name extends CoreOffer>(name: Name): Offers[Name];
  /** Returns a function that another part offers, or `undefined`. Call it after all capabilities are open. */
  offered<Name extends keyof Offers>(name: Name): Offers[Name] | undefined;
}

/**
 * The rooms of a list of capabilities: `Side` 0 is in process, 1 is one account. A list of unknown length makes
 * them optional.
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

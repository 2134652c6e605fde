/** A strict reader of AIP-1 envelopes: a part that is not understood is not accepted. */
import { jsonData, MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import { IdentityError } from '../errors.ts';
import { readJson } from '../json/read-json.ts';
import type { AipErrorCode } from './error-codes.ts';
import {
  type Boundaries,
  earliestExpiry,
  instantOf,
  type Part,
  partOf,
  readBoundaries,
  refused,
  textOf,
} from './read-parts.ts';

/** The content of an envelope. */
export interface Envelope {
  /** The whole envelope, frozen; the signed bytes are taken from it. */
  readonly data: Part;
  readonly agentId: string;
  readonly action: string;
  readonly target: string;
  readonly parameters: Part;
  readonly boundaries: Boundaries;
  readonly tier: string;
  readonly nonce: string;
  /** The last instant at which it is valid, in milliseconds. */
  readonly expiresAt: number;
  /** The end of the delegation, in milliseconds. */
  readonly delegatedUntil: number | undefined;
  /** The first and the last instant at which the agent may act, in milliseconds. */
  readonly window: readonly [start: number, end: number] | undefined;
  readonly proofValue: string;
}

const VERSION = '1.0.0';
const TIERS = ['tier_0', 'tier_1', 'tier_2'];
/** The validity of an envelope without an expiry (AIP-1 section 14.3). */
const DEFAULT_TTL_MS = 300_000;
/** The size limit, the same as for a body over HTTP. */
const MAX_BYTES = 65_536;

/** Reads an envelope, given as an object or as JSON text; returns an error code when it is not valid. */
export function readEnvelope(given: unknown): Envelope | AipErrorCode {
  try {
    const data = partOf(dataOf(given), '');
    return data['protocol_version'] === VERSION ? envelopeOf(data) : 'AIP-E104';
  } catch (error) {
    if (error instanceof IdentityError) return 'AIP-E103';
    throw error;
  }
}

function dataOf(given: unknown): unknown {
  if (typeof given !== 'string' && !(given instanceof Uint8Array)) return jsonData(given, MAX_BODY_MEMBERS);
  const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given;
  if (bytes.length > MAX_BYTES) throw refused('', `An envelope has at most ${MAX_BYTES} bytes.`);
  return readJson(bytes);
}

function envelopeOf(data: Part): Envelope {
  const intent = partOf(data['intent'], '/intent');
  const boundaries = readBoundaries(data['boundaries'], '/boundaries');
  const { window } = boundaries;
  const issuedAt = instantOf(data['issued_at'], '/issued_at');
  const { expires_at = null } = data;
  const tier = textOf(data['verification_tier'], '/verification_tier');
  if (!TIERS.includes(tier)) throw refused('/verification_tier', 'This is not a tier.');
  return {
    data,
    agentId: nameOf(partOf(data['agent'], '/agent')['id'], '/agent/id'),
    action: nameOf(intent['action'], '/intent/action'),
    target: textOf(intent['target'] ?? '', '/intent/target'),
    parameters: partOf(intent['parameters'] ?? {}, '/intent/parameters'),
    boundaries,
    tier,
    nonce: textOf(data['entropy'], '/entropy'),
    expiresAt: expires_at === null ? issuedAt + DEFAULT_TTL_MS : instantOf(expires_at, '/expires_at'),
    delegatedUntil: earliestExpiry(data['principal']),
    window: window && [
      instantOf(window['start'], '/boundaries/time_window/start'),
      instantOf(window['end'], '/boundaries/time_window/end'),
    ],
    proofValue: textOf(partOf(data['proof'], '/proof')['proof_value'], '/proof/proof_value'),
  };
}

function nameOf(value: unknown, path: string): string {
  const text = textOf(value, path);
  if (text !== '' && text.length <= 256) return text;
  throw refused(path, 'This must have 1 to 256 characters.');
}

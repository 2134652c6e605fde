/**
 * The 33 conformance vectors of AIP-1, made again from the rules that its repository publishes (theaniketgiri/aip,
 * commit 310b6826, `conformance/`): the same keys, nonces and instants, so that the signatures are the same, too.
 */
import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { signedBytes } from '../../src/aip/canonical.ts';

/** An envelope, and what is to come of it. */
export interface AipVector {
  readonly id: string;
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly verify_with: 'agent_1' | 'agent_2' | 'hmac';
  /** From where the request comes. */
  readonly request_geo?: string;
  /** The state of the passport that the verifier holds; absent: it holds none. */
  readonly standing?: 'active' | 'suspended' | 'revoked';
  /** The second time has to be what is expected. */
  readonly verify_twice?: true;
  readonly expected: { readonly valid: boolean; readonly errors: readonly string[] };
}

/** The secrets of the suite: bytes of one value. They are published, and protect nothing. */
export const SEEDS = { agent_1: 0xaa, agent_2: 0xbb, hmac: 0xcc } as const;

/** When the suite is judged. */
export const SUITE_AT = '2026-02-14T12:00:00Z';

const AGENT = 'did:web:acme.com:agents:procurement-bot';
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The secret as bytes. */
export function seedOf(name: keyof typeof SEEDS): Buffer {
  return Buffer.alloc(32, SEEDS[name]);
}

/** The private key of an agent of the suite. */
export function privateKeyOf(name: 'agent_1' | 'agent_2'): KeyObject {
  const key = Buffer.concat([PKCS8_ED25519, seedOf(name)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

interface Terms {
  readonly action?: string;
  readonly amount?: number;
  readonly tier?: string;
  readonly nonce?: string;
  readonly version?: string;
  readonly issued_at?: string;
  readonly expires_at?: string;
  readonly denied?: readonly string[];
  readonly limit?: number;
  readonly geo?: string;
}

function unsigned(terms: Terms): Record<string, unknown> {
  const { action = 'transfer_funds', amount = 200, limit = 500, tier = 'tier_1' } = terms;
  const { version = '1.0.0', issued_at = SUITE_AT, expires_at = null, denied = [], geo = null } = terms;
  return {
    '@context': 'https://aip.protocol/v1',
    '@type': 'IntentEnvelope',
    protocol_version: version,
    agent: {
      id: AGENT,
      version: '1.0.0',
      runtime: 'aip-sdk/0.1.0',
      attestation: {
        method: 'self_reported',
        framework_id: null,
        build_hash: null,
        system_prompt_hash: null,
        registry_signature: null,
        intent_classifier: { model: 'aip-classifier-v1', confidence_threshold: 0.95 },
      },
    },
    principal: {
      type: 'organization',
      id: 'did:web:acme.com',
      delegation_chain: [
        {
          ...{ from: 'did:web:acme.com', to: AGENT, scope: 'default', boundary_monotonicity: true },
          ...{ granted_at: '2026-01-01T00:00:00Z', expires_at: null },
        },
      ],
    },
    intent: {
      action,
      target: 'did:web:vendor.com:agents:billing',
      parameters: { amount, currency: 'USD' },
    },
    boundaries: {
      allowed_actions: ['transfer_funds', 'read_invoice'],
      denied_actions: denied,
      monetary_limit: { per_transaction: limit, per_day: 5000, currency: 'USD' },
      data_access: [],
      geo_restriction: geo,
      time_window: null,
    },
    verification_tier: tier,
    entropy: terms.nonce,
    ttl: 300,
    issued_at,
    expires_at,
  };
}

/** The envelope with its proof. */
export function signed(
  envelope: Readonly<Record<string, unknown>>,
  by: 'agent_1' | 'hmac' = 'agent_1',
): Record<string, unknown> {
  const bytes = signedBytes(envelope);
  const signature =
    by === 'hmac'
      ? createHmac('sha256', seedOf('hmac')).update(bytes).digest()
      : sign(null, bytes, privateKeyOf(by));
  const proof_value = signature.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  return {
    ...envelope,
    proof: {
      ...{ type: 'Ed25519Signature2020', created: SUITE_AT, verification_method: 'did:web:acme.com#keys-1' },
      ...{ proof_purpose: 'assertionMethod', proof_value },
    },
  };
}

/** An envelope of the suite, unsigned. */
export function suiteEnvelope(terms: Terms = {}): Record<string, unknown> {
  return unsigned({ nonce: `nonce:${'0'.repeat(31)}f`, ...terms });
}

type Rest = Partial<Omit<AipVector, 'id' | 'envelope' | 'expected'>>;

/** The vectors, in the order in which the suite gives out its nonces. */
export function makeVectors(): readonly AipVector[] {
  const vectors: AipVector[] = [];
  let count = 0;
  const add = (id: string, terms: Terms, errors: readonly string[] = [], rest: Rest = {}): AipVector => {
    if (terms.nonce === undefined) count += 1;
    const nonce = terms.nonce ?? `nonce:${count.toString(16).padStart(32, '0')}`;
    const by = rest.verify_with === 'hmac' ? 'hmac' : 'agent_1';
    const envelope = signed(unsigned({ ...terms, nonce }), by);
    const expected = { valid: errors.length === 0, errors };
    const vector: AipVector = { id, envelope, verify_with: 'agent_1', ...rest, expected };
    vectors.push(vector);
    return vector;
  };
  add('A01_valid_envelope', {});
  add('A02_expired_envelope', { expires_at: '2024-01-01T00:00:00Z' }, ['AIP-E101']);
  add('A03_wrong_version', { version: '99.0.0' }, ['AIP-E104']);
  add('A04_missing_action', { action: '' }, ['AIP-E103']);
  add('A06_absent_expiry_defaults_to_ttl', { issued_at: '2026-02-14T11:50:00Z' }, ['AIP-E101']);
  add('A07_absent_expiry_within_ttl_passes', { issued_at: '2026-02-14T11:59:00Z' });
  add('B01_valid_signature', {});
  add('B02_wrong_public_key', {}, ['AIP-E100'], { verify_with: 'agent_2' });
  const tampered = add('B03_tampered_payload', {}, ['AIP-E100']);
  Object.assign(Object(tampered.envelope['intent']), { action: 'delete_everything' });
  add('B04_hmac_tier0_valid', { tier: 'tier_0' }, [], { verify_with: 'hmac' });
  add('C01_unique_nonce_passes', {});
  add('C02_duplicate_nonce_fails', {}, ['AIP-E102'], { verify_twice: true });
  add('D01_allowed_action_passes', { action: 'read_invoice', amount: 0 });
  add('D02_disallowed_action_fails', { action: 'delete_database', amount: 0 }, ['AIP-E200']);
  add('D03_denied_action_fails', { amount: 100, denied: ['transfer_funds'] }, ['AIP-E201']);
  add('D04_monetary_limit_exact_passes', { amount: 500 });
  add('D05_monetary_limit_exceeded', { amount: 15_000 }, ['AIP-E202']);
  add('D06_geo_restriction_match_passes', { geo: 'US' }, [], { request_geo: 'US' });
  add('D07_geo_restriction_mismatch_fails', { geo: 'US' }, ['AIP-E204'], { request_geo: 'RU' });
  add('E01_non_revoked_passes', {}, [], { standing: 'active' });
  add('E02_revoked_agent_fails', {}, ['AIP-E400'], { standing: 'revoked' });
  add('E03_revoked_at_tier0', { tier: 'tier_0' }, ['AIP-E400'], { standing: 'revoked' });
  add('E04_suspended_agent_fails', {}, ['AIP-E401'], { standing: 'suspended' });
  add('F01_tier0_skips_attestation', { tier: 'tier_0' });
  add('F02_tier_escalation_allowed', { tier: 'tier_0' });
  add('G01_zero_amount_passes', { amount: 0 });
  add('G02_negative_amount_passes', { amount: -50 });
  add('H01_float_normalization', { amount: 500, limit: 1_000 });
  add('H02_decimal_preserved', { amount: 45.5, limit: 1_000 });
  add('H03_key_ordering', {});
  add('H04_datetime_format', {});
  add('H05_null_handling', {});
  add('A05_short_nonce_rejected', { nonce: 'nonce:abc' }, ['AIP-E105']);
  return vectors;
}

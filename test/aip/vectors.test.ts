/** The conformance vectors of AIP-1, and envelopes that were tampered with. */
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { signedBytes } from '../../src/aip/canonical.ts';
import { type AipOptions, verifyAipEnvelope } from '../../src/aip/index.ts';
import { createIdentityService } from '../../src/service.ts';
import { root } from '../readme/run.ts';
import { nightly, sized } from '../support/runs.ts';
import {
  type AipVector,
  makeVectors,
  privateKeyOf,
  SUITE_AT,
  seedOf,
  signed,
  suiteEnvelope,
} from './make-vectors.ts';

const FILE = join(root, 'test/aip/vectors.json');
const vectors: readonly AipVector[] = JSON.parse(readFileSync(FILE, 'utf8'));
const at = Date.parse(SUITE_AT);

async function optionsOf({ verify_with: key, request_geo, standing }: AipVector): Promise<AipOptions> {
  const keys =
    key === 'hmac' ? { hmacKey: seedOf('hmac') } : { publicKey: createPublicKey(privateKeyOf(key)) };
  const geo = request_geo === undefined ? {} : { geo: request_geo };
  if (standing === undefined) return { ...keys, ...geo, at, seen: new Set() };
  const service = createIdentityService({ storage: memoryStorage() });
  const acme = { domain: 'acme.com', agent_name: 'procurement-bot', allowed_actions: ['*'] };
  await service.passports.create(
    { ...acme, monetary_limit_per_txn: 1_000_000 },
    { standing: { status: standing } },
  );
  return { ...keys, ...geo, at, seen: new Set(), service };
}

test('there are 33 of them, which are what the rules of the suite give', () => {
  expect(vectors).toHaveLength(33);
  expect(vectors).toEqual(JSON.parse(JSON.stringify(makeVectors())));
});

test.each([
  ['A01', 'Ly_nAMGaEhynisDwAHvddWeTbKS3dmjPmhuJc-LNoF9SzRhg4y7k5NHQ6bu6pwuMbEdK1NSfCAQK47qMYbmfBA=='],
  ['A02', '1QDMLT6iLrMcqaxo87d-gwur6vDmeNR6HFSLQtlZn7kLGCqP-GvFTiuYO5r9WoFcFpexlbllT8wQ6czvHP2ADA=='],
  ['A03', 'my_GTgWe2M-Xw4TwEwoeLswCb7pBNEyZ9ET3X5Er8Te4Yjjm234mRcsKw4NtyTn3irMd6lhNhmw4ujSGLX2ECg=='],
  ['A04', '2skTLON4f5M_JAUoW5dzhGpOYkE9SxznCwuKd-wncTon7TpoS1Urh76wh0Ig58-24s7ZDSgD6SrAMDdbyhuWBQ=='],
  ['A06', 'J_tOP8GordXaFxOoanKPTmLElonEz8XUomE54f2djGJ3ft7IfpmKBYLQbqavyNDIV0mRQEJeX53gkJUlVD4EBg=='],
])('the signature of %s is the one that the suite publishes', (id, published) => {
  const vector = vectors.find((one) => one.id.startsWith(id));
  expect(vector?.envelope).toMatchObject({ proof: { proof_value: published } });
});

test.each(vectors.map((vector) => [vector.id, vector] as const))('%s', async (_, vector) => {
  const options = await optionsOf(vector);
  if (vector.verify_twice) {
    expect(await verifyAipEnvelope(vector.envelope, options)).toMatchObject({ valid: true });
  }
  const { valid, errors } = await verifyAipEnvelope(vector.envelope, options);
  expect({ valid, errors }).toEqual(vector.expected);
});

describe('an envelope with one byte changed under its signature is refused', () => {
  const RUNS = nightly(10_000, sized(1_000, 200));
  const envelopes = [
    suiteEnvelope(),
    suiteEnvelope({ amount: 45.5, geo: 'DE' }),
    { ...suiteEnvelope({ tier: 'tier_0' }), note: 'Zürich 🧾 "quoted" \\ \u0001', 10: 1, 9: [0.95, null] },
  ];
  const ways: readonly (readonly [string, 'agent_1' | 'hmac', number])[] = [
    ['Ed25519', 'agent_1', 0],
    ['Ed25519, with a limit to a country', 'agent_1', 1],
    ['HMAC, with texts that are not ASCII', 'hmac', 2],
  ];

  test.each(ways)('%s', async (_, by, which) => {
    const keys =
      by === 'hmac' ? { hmacKey: seedOf('hmac') } : { publicKey: createPublicKey(privateKeyOf(by)) };
    const { proof, ...unsigned } = signed(envelopes[which] ?? {}, by);
    const bytes = signedBytes(unsigned);
    const whole = (changed: Uint8Array): Uint8Array =>
      Buffer.concat([changed.subarray(0, -1), Buffer.from(`,"proof":${JSON.stringify(proof)}}`)]);
    const verify = (changed: Uint8Array) =>
      verifyAipEnvelope(whole(changed), { ...keys, at, geo: 'de', seen: new Set() });
    expect(await verify(bytes)).toEqual({ valid: true, errors: [], record: null });
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 2), fc.integer({ min: 1, max: 255 }), async (place, change) => {
        const changed = Uint8Array.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ change;
        const { valid, errors } = await verify(changed);
        expect(valid).toBe(false);
        expect(errors).toHaveLength(1);
      }),
      { numRuns: RUNS },
    );
  });
});

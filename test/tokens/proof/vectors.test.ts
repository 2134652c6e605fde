import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { importJWK, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { createProofCheck } from '../../../src/core/verification/proof-check.ts';
import { root } from '../../readme/run.ts';
import { sayMissing } from '../../support/missing.ts';
import { factOf, questionOf, VECTORS, VECTORS_FILE } from './vectors.ts';

const run = promisify(execFile);
const { service, vectors, now } = VECTORS;
const check = createProofCheck({ audiences: service.audiences, maxSeconds: service.max_seconds });

test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
  const { fact, takings } = await check(vector.proof, questionOf(vector));
  expect(fact).toEqual(factOf(vector));
  expect(takings).toHaveLength(fact.state === 'valid' ? 1 : 0);
});

test('there are 80 or more, six of them right for each algorithm bound and unbound, and every problem', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(80);
  const names = vectors.flatMap((vector) => (vector.state === 'valid' ? [vector.name] : []));
  const six = ['EdDSA', 'Ed25519', 'ES256'].flatMap((alg) => [`${alg}, bound`, `${alg}, unbound`]);
  expect(names).toEqual(expect.arrayContaining(six));
  const invalid = vectors.flatMap((vector) => (vector.state === 'invalid' ? [vector.problem] : []));
  expect(invalid.length).toBeGreaterThanOrEqual(74);
  expect([...new Set(invalid)].sort()).toEqual(
    ['algorithm', 'audience', 'claims', 'intent', 'key', 'malformed', 'signature', 'time', 'type'].sort(),
  );
});

test('jose verifies the signature of each proof that is right', async () => {
  for (const vector of vectors) {
    if (vector.state !== 'valid') continue;
    const key = VECTORS.defaults.public_keys.find(({ kid }) => kid === vector.kid);
    // RFC 9864 has a name that jose knows as well.
    const imported = await importJWK({ ...key }, key?.kty === 'OKP' ? 'Ed25519' : 'ES256');
    const options = { typ: 'agent-intent+jwt', currentDate: new Date(now * 1_000), clockTolerance: 10 };
    const { nbf: _, ...claims } = JSON.parse(
      Buffer.from(vector.proof.split('.')[1] ?? '', 'base64url').toString(),
    );
    if (claims.scope !== undefined) continue;
    await expect(jwtVerify(vector.proof, imported, options)).resolves.toBeDefined();
  }
});

/** Whether python3 is there with its package `cryptography`. */
const hasPython = await run('python3', ['-c', 'import cryptography']).then(
  () => true,
  () => false,
);

if (hasPython) {
  test('a checker in Python, which knows nothing of ours, agrees on every vector', async () => {
    const { stdout } = await run('python3', [join(root, 'test/tokens/proof/check_proofs.py'), VECTORS_FILE]);
    const verdicts: Readonly<Record<string, boolean>> = JSON.parse(stdout);
    const expected = vectors.map(({ name, state }) => [name, state === 'valid'] as const);
    expect(verdicts).toEqual(Object.fromEntries(expected));
  });
} else {
  sayMissing('python3 with the package cryptography is not there: the checker in Python was not run.');
}

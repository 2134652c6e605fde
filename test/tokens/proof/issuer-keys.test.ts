/** The keys of an issuer by its DID document. */
import { describe, expect, test } from 'vitest';
import { resolveKeys } from '../../../src/tokens/proof/issuer-keys.ts';

const DID = 'did:web:example.com';
const OTHER = 'did:web:other.example';
/** The key of RFC 8037, appendix A.2. */
const publicKeyJwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

async function keysOf(members: object): Promise<number | string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ id: DID, ...members }));
  return resolveKeys(DID, async () => bytes).then(
    ({ size }) => size,
    ({ code }: { code: string }) => code,
  );
}

const method = (more: object = {}) => ({
  id: `${DID}#k`,
  type: 'JsonWebKey',
  controller: DID,
  publicKeyJwk,
  ...more,
});

describe('reads a key', () => {
  test.each([
    ['of an absolute id', [method()], [`${DID}#k`]],
    ['of a relative id', [method({ id: '#k' })], ['#k']],
    ['of a relative id that is named absolutely', [method({ id: '#k' })], [`${DID}#k`]],
    ['of an absolute id that is named relatively', [method()], ['#k']],
    ['that is embedded', [], [method()]],
    ['that is embedded with a relative id', undefined, [method({ id: '#k' })]],
  ])('%s', async (_, verificationMethod, assertionMethod) => {
    expect(await keysOf({ verificationMethod, assertionMethod })).toBe(1);
  });
});

describe('reads no key', () => {
  test.each([
    ['of another controller', [method({ controller: OTHER })], [`${DID}#k`]],
    ['of another controller that is embedded', [], [method({ controller: OTHER })]],
    ['without a controller', [method({ controller: undefined })], ['#k']],
    ['of another DID', [method({ id: `${OTHER}#k` })], [`${OTHER}#k`]],
    ['of another DID that is embedded', [], [method({ id: `${OTHER}#k` })]],
    ['of a DID that begins as the own', [method({ id: `${DID}.evil#k` })], [`${DID}.evil#k`]],
    ['that is not named', [method()], ['#other']],
    ['without an id', [method({ id: undefined })], [undefined, null, 5, '', '#']],
    ['of a list of controllers', [method({ controller: [DID] })], ['#k']],
    ['that is embedded in a list', [], [[method()]]],
  ])('%s', async (_, verificationMethod, assertionMethod) => {
    expect(await keysOf({ verificationMethod, assertionMethod })).toBe(0);
  });

  test('of a document without assertionMethod, or of another id', async () => {
    expect(await keysOf({ verificationMethod: [method()] })).toBe('invalid_token');
    expect(await keysOf({ id: OTHER, verificationMethod: [method()], assertionMethod: ['#k'] })).toBe(
      'invalid_token',
    );
  });
});

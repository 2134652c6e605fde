import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { type DocumentService, didListener } from '../../../src/identity/index.ts';
import type { PublicKeyInput } from '../../../src/types.ts';
import { root } from '../../architecture/sources.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { openFolder } from '../../support/process.ts';
import { openDidStage, PASSPORT } from './stage.ts';
import { openVector } from './vector-service.ts';
import { vectors } from './vectors.ts';

interface Outcome {
  readonly value?: unknown;
  readonly error?: string;
}

interface Answers {
  readonly resolved: readonly {
    readonly did: string;
    readonly didDocument: unknown;
    readonly error?: string;
    readonly other: Outcome;
    readonly key?: Outcome;
  }[];
  readonly verified: readonly Outcome[];
  readonly checked: readonly Outcome[];
}

interface Work {
  readonly dids?: readonly string[];
  readonly tokens?: readonly { readonly jwt: string; readonly proofPurpose?: string }[];
  readonly jwks?: readonly { readonly url: string; readonly jwt: string }[];
}

/** Serves the documents of a service over TLS, and lets libraries of third parties work on them. */
function openTls() {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const names = ['localhost', 'shop.example', 'xn--mnchen-3ya.example'].map((name) => `DNS:${name}`);
  const { ca, cert, key } = makeCertificate(folder, names);
  let serve: ReturnType<typeof didListener>;
  const server: Server = createServer(
    { cert: readFileSync(cert), key: readFileSync(key) },
    (request, response) => {
      void serve(request, response);
    },
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port: () =>
      new Promise<number>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
      ),
    of(service: DocumentService) {
      serve = didListener(service);
    },
    ask: ({ dids = [], tokens = [], jwks = [] }: Work, port: number) =>
      new Promise<Answers>((resolve, reject) => {
        const child = execFile(
          process.execPath,
          [join(root, 'test/identity/documents/third-parties.mjs')],
          { env: { ...process.env, NODE_EXTRA_CA_CERTS: ca }, maxBuffer: 2 ** 26 },
          (error, stdout) => (error === null ? resolve(JSON.parse(stdout)) : reject(error)),
        );
        child.stdin?.end(JSON.stringify({ port, dids, tokens, jwks }));
      }),
  };
}

test('did-resolver with web-did-resolver, and did-method-web, resolve every vector over TLS', async () => {
  const tls = openTls();
  const port = await tls.port();
  for (const vector of vectors) {
    const { service } = await openVector(vector);
    tls.of(service);
    const [answer] = (await tls.ask({ dids: [vector.did] }, port)).resolved;
    if (vector.document === null) {
      expect(answer).toMatchObject({
        didDocument: null,
        error: 'notFound',
        other: { error: expect.any(String) },
      });
      continue;
    }
    expect(answer?.didDocument).toEqual(vector.document);
    expect(answer?.other).toEqual({ value: vector.document });
    const [first] = vector.document.verificationMethod;
    if (first !== undefined)
      expect(answer?.key).toEqual({ value: expect.objectContaining({ id: first.id }) });
  }
});

test('did-jwt and jose verify what an agent signs, as long as its keys count', async () => {
  const tls = openTls();
  const port = await tls.port();
  const { service, ...stage } = openDidStage({ allowLocalhost: true });
  tls.of(service);
  const actor = { account_id: await stage.account('ann@example.com') };
  const pairs = await Promise.all(
    ['EdDSA', 'ES256'].map((alg) => generateKeyPair(alg, { extractable: true })),
  );
  const public_keys = (await Promise.all(
    pairs.map(({ publicKey }) => exportJWK(publicKey)),
  )) as PublicKeyInput[];
  const domain = `localhost%3A${port}`;
  const { agent_id, public_keys: shown = [] } = await service.passports.create(
    { domain, agent_name: 'shopper', ...PASSPORT, public_keys },
    actor,
  );
  const sign = (index: number, alg: string, kid?: string) =>
    new SignJWT({ sub: 'a statement' })
      .setProtectedHeader({ alg, typ: 'JWT', ...(kid !== undefined && { kid }) })
      .setIssuer(agent_id)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(pairs[index]?.privateKey ?? expect.fail());
  const jwts = [await sign(0, 'EdDSA'), await sign(0, 'Ed25519'), await sign(1, 'ES256')];
  const kids = await Promise.all(shown.map(({ kid, alg }, index) => sign(index, alg, kid)));
  const tokens = jwts.flatMap((jwt) => [{ jwt }, { jwt, proofPurpose: 'authentication' }]);
  const jwks = kids.map((jwt) => ({ jwt, url: `https://localhost:${port}/agents/shopper/jwks.json` }));
  const work = { dids: [agent_id], tokens, jwks };

  const before = await tls.ask(work, port);
  expect(before.resolved[0]?.other.value).toMatchObject({ id: agent_id });
  expect(before.verified).toEqual(tokens.map(() => ({ value: true })));
  expect(before.checked).toEqual(jwks.map(() => ({ value: 'a statement' })));

  await service.suspend({ agent_id }, actor);
  const during = await tls.ask(work, port);
  // What was signed before stays checkable; nothing can be proved with these keys now.
  expect(during.verified.filter((_, index) => index % 2 === 1).map(({ value }) => value)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(during.checked).toEqual(jwks.map(() => ({ error: expect.any(String) })));

  await service.revoke({ agent_id }, actor);
  const after = await tls.ask(work, port);
  expect(after.resolved[0]).toMatchObject({ didDocument: null, error: 'notFound' });
  expect(after.verified.map(({ value }) => value)).toEqual(tokens.map(() => undefined));
});

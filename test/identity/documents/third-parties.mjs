/**
 * Resolves DIDs and verifies tokens as third parties do, over real TLS: a process of its own, as NODE_EXTRA_CA_CERTS is
 * read at the start. Every host is served on the port of this machine that was given; its certificate is still checked
 * against its own name. Reads the work from stdin, and prints what came out.
 */
import { json } from 'node:stream/consumers';
import tls from 'node:tls';
import { driver } from '@digitalbazaar/did-method-web';
import { verifyJWT } from 'did-jwt';
import { Resolver } from 'did-resolver';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { getResolver } from 'web-did-resolver';

const { port, dids, tokens, jwks } = await json(process.stdin);

const { connect } = tls;
tls.connect = (options, ...rest) => {
  const { host, servername = host } = options;
  return connect({ ...options, host: '127.0.0.1', port, servername }, ...rest);
};

const resolver = new Resolver(getResolver());
const digitalBazaar = driver();

const outcome = (work) =>
  work.then(
    (value) => ({ value }),
    (error) => ({ error: String(error.message ?? error) }),
  );

const resolved = [];
for (const did of dids) {
  const { didDocument, didResolutionMetadata } = await resolver.resolve(did);
  const other = await outcome(digitalBazaar.get({ did }));
  const [fragment] = didDocument?.verificationMethod ?? [];
  const key = fragment && (await outcome(digitalBazaar.get({ url: fragment.id })));
  resolved.push({ did, didDocument, error: didResolutionMetadata.error, other, key });
}

const verified = [];
for (const { jwt, proofPurpose } of tokens) {
  const result = await outcome(verifyJWT(jwt, { resolver, proofPurpose, policies: { aud: false } }));
  verified.push(result.value === undefined ? result : { value: result.value.verified });
}

const checked = [];
for (const { url, jwt } of jwks) {
  const result = await outcome(jwtVerify(jwt, createRemoteJWKSet(new URL(url))));
  checked.push(result.value === undefined ? result : { value: result.value.payload.sub });
}

process.stdout.write(JSON.stringify({ resolved, verified, checked }));

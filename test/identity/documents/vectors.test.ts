import { expect, test } from 'vitest';
import { agentDocument, domainDocument } from '../../../src/identity/index.ts';
import { openVector } from './vector-service.ts';
import { vectors } from './vectors.ts';

test('there are twelve documents: of one key and of four, of both curves, ports, punycode, and each state', () => {
  const documents = vectors.filter(({ document }) => document !== null);
  expect(documents).toHaveLength(12);
  expect(new Set(vectors.map(({ input }) => input.state)).size).toBe(5);
  expect(new Set(documents.map(({ input }) => input.keys.length))).toEqual(new Set([0, 1, 2, 4]));
});

test.each(vectors)('the service answers as the vector $name says', async (vector) => {
  const { ask } = await openVector(vector);
  const { host, pathname } = new URL(vector.url);
  const { status, text } = (await ask(host, pathname)) ?? expect.fail('It is not served.');
  expect(status).toBe(vector.status);
  if (vector.document !== null) expect(JSON.parse(text)).toEqual(vector.document);
});

test.each(vectors.filter(({ document }) => document !== null))(
  '$name is made without a service',
  (vector) => {
    const { domain, agent_name, keys, public_url: publicUrl, state } = vector.input;
    const made =
      agent_name === null
        ? domainDocument({ domain, keys, publicUrl })
        : agentDocument({
            agent_id: vector.did,
            domain,
            public_keys: keys,
            isActive: state === 'active',
            publicUrl,
          });
    expect(made).toEqual(vector.document);
  },
);

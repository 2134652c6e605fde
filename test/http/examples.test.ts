import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/schema/check.ts';
import { type RequestName, requestSchemas } from '../../src/schema/requests.ts';
import { type Answer, type Ask, openApi, text } from '../support/api.ts';
import { openService } from '../support/service.ts';

interface Media {
  readonly schema: { readonly $ref?: string };
  readonly example?: unknown;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const AGENT = 'did:web:shop.example:agents:shopper';

async function readDocument(): Promise<Document> {
  const { text: document } = await openApi(openService({ registration: 'open' })).ask('GET', '/openapi.json');
  return JSON.parse(document);
}

/** The bodies that an operation takes and gives where all goes well. */
function mediaOf({ requestBody, responses }: Operation): readonly Media[] {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const contents = [requestBody?.content, ...good.map(([, { content }]) => content)];
  return contents.flatMap((content) => Object.values(content ?? {}));
}

describe('the examples of the document', () => {
  test('stand beside every body that is taken or given, and fit its schema', async () => {
    const document = await readDocument();
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema({ $id: 'openapi', ...document } as AnySchema);
    const bodies = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => mediaOf(operation)),
    );
    expect(bodies.length).toBeGreaterThan(30);
    for (const { schema, example } of bodies) {
      const { $ref } = schema;
      expect([$ref, typeof example]).not.toContain('undefined');
      const valid = $ref === undefined || ajv.validate({ $ref: `openapi${$ref}` }, example);
      expect({ $ref, errors: valid ? null : ajv.errors }).toEqual({ $ref, errors: null });
    }
  });

  test('of requests are what the service itself takes', async () => {
    const { paths } = await readDocument();
    const taken = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {})),
    );
    const names = taken.map(({ schema, example }) => {
      const name = schema.$ref?.split('/').at(-1) as RequestName;
      expect(check(name, example)).toBe(example);
      return name;
    });
    expect([...new Set(names)].sort()).toEqual(Object.keys(requestSchemas).sort());
  });

  test('are what a real service answers to them, one after the other', async () => {
    const { paths } = await readDocument();
    const api = openApi(openService({ registration: 'open' }));
    const answered = new Set<string>();

    /** Sends the example of the operation and holds the answer against that of the document. */
    async function play(method: string, path: string, ask: Ask, id = ''): Promise<Answer> {
      const [template = ''] = path.split('?');
      const operation = paths[template]?.[method.toLowerCase()];
      if (operation === undefined) expect.fail(`${method} ${path} is not in the document`);
      const sent = operation.requestBody?.content['application/json']?.example;
      const json = sent === undefined ? ask : { ...ask, json: sent };
      const answer = await api.ask(method, path.replaceAll(/\{\w+\}/g, id), json);
      const { content } = operation.responses[answer.status] ?? {};
      const what = `${method} ${path}: ${answer.text}`;
      expect(answer.status, what).toBeLessThan(300);
      const given = content?.['application/json']?.example;
      if (given !== undefined && path !== '/openapi.json') {
        expect(shapeOf(answer.body, given), what).toEqual(shapeOf(given, answer.body));
      }
      answered.add(`${method} ${template}`);
      return answer;
    }

    await play('POST', '/auth/register', {});
    const token = text(await play('POST', '/auth/login', {}), 'access_token');
    const made = await play('POST', '/keys', { token });
    const [key, keyId] = [text(made, 'key'), text(made, 'id')];
    await play('POST', '/passports', { token });
    expect((await play('POST', '/verify', { key })).body['verdict']).toBe('ALLOW');
    const { verdicts } = (await play('POST', '/verify/batch', { key })).body as {
      verdicts: { reasons: { code: string }[] }[];
    };
    expect(verdicts.map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([
      [],
      ['amount_over_limit'],
    ]);
    for (const path of ['/passports', '/keys', '/account', '/analytics', '/verifications?verdict=ALLOW']) {
      await play('GET', path, { token });
    }
    for (const path of ['/passports/{agent_id}', '/passports/{agent_id}/versions']) {
      await play('GET', path, { token }, AGENT);
    }
    await play('GET', '/keys/{id}', { token }, keyId);
    await play('PATCH', '/passports/{agent_id}', { token }, AGENT);
    for (const path of ['/suspend', '/reinstate', '/revoke']) await play('POST', path, { key });
    await play('PATCH', '/keys/{id}', { token }, keyId);
    await play('POST', '/keys/{id}/rotate', { token }, keyId);
    await play('DELETE', '/keys/{id}', { token }, keyId);
    for (const path of ['/health/live', '/health/ready', '/openapi.json']) await play('GET', path, {});
    await play('POST', '/auth/logout', { token });
    const again = text(await play('POST', '/auth/login', {}), 'access_token');
    await play('POST', '/auth/password', { token: again });

    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...answered].sort()).toEqual(all.sort());
  });

  test('of the export has the columns of the real one', async () => {
    const { paths } = await readDocument();
    const example = paths['/verifications']?.['get']?.responses['200']?.content?.['text/csv']?.example;
    const { service } = openService();
    let csv = '';
    for await (const piece of await service.verifications.csv({}, { account_id: 'acc_1' })) csv += piece;
    const [header, line] = String(example).split('\r\n');
    expect(header).toBe(csv.trim());
    expect(line?.split(',')).toHaveLength(header?.split(',').length ?? 0);
  });
});

/** The names and the types of a value, as far as `other` has something there as well. */
function shapeOf(value: unknown, other: unknown): unknown {
  if (value === null || other === null) return 'null or another';
  if (Array.isArray(value) && Array.isArray(other)) {
    return value.length === 0 || other.length === 0 ? [] : [shapeOf(value[0], other[0])];
  }
  if (typeof value !== 'object' || typeof other !== 'object') return typeof value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, shapeOf(Object(value)[name], Object(other)[name])]),
  );
}

/** An answer that is wrong, foreign or of another version never leads to an ALLOW of the verifier. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConfirmedPassports } from '../../src/records/verifier.ts';
import type { Passport } from '../../src/records.ts';
import type { LocalVerifier } from '../../src/verifier/index.ts';
import { cases } from '../support/runs.ts';
import { keyOf, open, passport, verifierWith, type Wire, wireTo } from './stage.ts';

type Answer = { -readonly [Name in keyof ConfirmedPassports]: ConfirmedPassports[Name] };
type Change = (answer: Answer, agentId: string) => unknown;

/** A verifier whose answers about passports a test changes. */
interface Bent {
  readonly verifier: LocalVerifier;
  readonly wire: Wire;
  readonly agent_id: string;
  readonly top: Passport;
  bend: Change | Response | undefined;
}

async function bent(): Promise<Bent> {
  const service = open();
  const wire = wireTo(service);
  const top = await service.passports.create(passport('top'));
  const { agent_id } = await service.passports.create(passport('a', { parent_agent_id: top.agent_id }));
  const apiKey = await keyOf(service);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await wire.fetch(input, init);
    const { bend } = made;
    if (!`${input}`.endsWith('/verifier/passports') || bend === undefined) return answer;
    if (bend instanceof Response) return bend.clone();
    const body = (await answer.json()) as Answer;
    return Response.json(bend(body, agent_id) ?? body);
  };
  const verifier = verifierWith({ apiKey, fetch });
  const made: Bent = { verifier, wire, agent_id, top, bend: undefined };
  return made;
}

const ask = ({ verifier, agent_id }: Bent) => verifier.verify({ agent_id, action: 'orders.read' });

/** Says that the question went to the service, which alone has decided. */
async function expectAsked(made: Bent): Promise<void> {
  expect((await ask(made)).verdict).toBe('ALLOW');
  expect(made.verifier.state()).toMatchObject({ decided: 0, asked: 1 });
  expect(made.wire.to('/verify')).toHaveLength(1);
}

/** Says that the state names the agent whose passport this version cannot read. */
function expectNamed({ verifier, agent_id }: Bent): void {
  expect(verifier.state().always_asked).toContainEqual({ agent_id, cause: 'passport' });
}

const first = (answer: Answer, id: string) => answer.passports[id] as unknown as Record<string, unknown>;

describe('the service is asked about an agent', () => {
  test.for<[string, Change]>([
    [
      'with an unknown field',
      (answer, id) => {
        first(answer, id)['forbidden_on'] = 'sunday';
      },
    ],
    [
      'with an unknown status',
      (answer, id) => {
        first(answer, id)['status'] = 'dormant';
      },
    ],
    [
      'with an unknown proof',
      (answer, id) => {
        first(answer, id)['proof'] = 'twice';
      },
    ],
    [
      'with a value for a list',
      (answer, id) => {
        first(answer, id)['allowed_actions'] = { all: true };
      },
    ],
    [
      'with an unknown field of a budget',
      (answer, id) => {
        first(answer, id)['budgets'] = [{ window: 'day', count: 5, only: 'x' }];
      },
    ],
    [
      'with an unknown field of a pace',
      (answer, id) => {
        first(answer, id)['pace'] = [{ name: 'pace', max: 5, seconds: 60, burst: 9 }];
      },
    ],
    [
      'with an unknown field of an order',
      (answer, id) => {
        const forbids = { actions: ['*'], seconds: 60, only: 'x' };
        first(answer, id)['order'] = [{ name: 'once', actions: ['*'], forbids }];
      },
    ],
    [
      'with an unknown window',
      (answer, id) => {
        first(answer, id)['budgets'] = [{ window: 'fortnight', count: 5 }];
      },
    ],
    [
      'with an unknown approval',
      (answer, id) => {
        first(answer, id)['approval'] = { seconds: 60, by: 2 };
      },
    ],
    [
      'with an unknown part of a key',
      (answer, id) => {
        first(answer, id)['public_keys'] = [{ kty: 'X', n: 1 }];
      },
    ],
    [
      'with a text that is an object',
      (answer, id) => {
        first(answer, id)['description'] = { text: '' };
      },
    ],
    [
      'with another id',
      (answer, id) => {
        first(answer, id)['agent_id'] = 'did:web:b.example:agents:b';
      },
    ],
    ['without a version', (answer, id) => void delete first(answer, id)['version']],
    [
      'below such an agent',
      (answer, id) => {
        const above = first(answer, id)['parent_agent_id'] as string;
        first(answer, above)['more'] = 1;
      },
    ],
  ])('%s', async ([, change]) => {
    const made = await bent();
    made.bend = change;
    await expectAsked(made);
    expectNamed(made);
  });

  test('but not for unknown metadata', async () => {
    const made = await bent();
    made.bend = (answer, id) => {
      first(answer, id)['metadata'] = { any: { thing: 1 } };
    };
    expect((await ask(made)).verdict).toBe('ALLOW');
    expect(made.verifier.state()).toMatchObject({ decided: 1, asked: 0 });
  });

  test('with any unknown field at any depth', async () => {
    const paths = fc.constantFrom<readonly string[]>(
      [],
      ['approval'],
      ['budgets', '0'],
      ['public_keys', '0'],
    );
    const names = fc.string({ minLength: 1, maxLength: 8 }).map((name) => `x_${name}`);
    await fc.assert(
      fc.asyncProperty(paths, names, fc.jsonValue(), async (path, name, value) => {
        const made = await bent();
        made.bend = (answer, id) => {
          let holder = first(answer, id);
          const [field, place] = path;
          if (field !== undefined) {
            const part = {};
            holder[field] = place === undefined ? part : [part];
            holder = part;
          }
          holder[name] = value;
        };
        await ask(made).catch(() => undefined);
        expect(made.verifier.state().decided).toBe(0);
      }),
      { numRuns: cases(1_000) },
    );
  });
});

describe('the service is asked about everything', () => {
  const problem = (status: number, code: string) =>
    Response.json(
      { code, detail: 'No.', status },
      { status, headers: { 'content-type': 'application/problem+json' } },
    );

  test.for<[string, Change | Response, string]>([
    [
      'another decision_version',
      (answer) => {
        answer.decision_version += 1;
      },
      'version',
    ],
    [
      'an older decision_version',
      (answer) => {
        answer.decision_version -= 1;
      },
      'version',
    ],
    [
      'an ask that is not known',
      (answer) => {
        answer.ask = 'mood' as never;
      },
      'version',
    ],
    [
      'ask: rate',
      (answer) => {
        answer.ask = 'rate';
      },
      'rate',
    ],
    ['404', problem(404, 'not_found'), 'version'],
    ['405', problem(405, 'method_not_allowed'), 'version'],
    ['400', problem(400, 'invalid_request'), 'version'],
    ['403', problem(403, 'insufficient_scope'), 'scope'],
    ['401', problem(401, 'unauthenticated'), 'refused'],
  ])('after %s', async ([, bend, asks]) => {
    const made = await bent();
    made.bend = bend;
    await expectAsked(made);
    expect(made.verifier.state().asks).toBe(asks);
  });
});

describe('no answer is', () => {
  test.for<[string, Change | Response]>([
    [
      'one to another turn',
      (answer) => {
        answer.turn += 1;
      },
    ],
    [
      'one without its date',
      (answer) => {
        delete (answer as Partial<Answer>).as_of_ms;
      },
    ],
    [
      'one without its ask',
      (answer) => {
        delete (answer as Partial<Answer>).ask;
      },
    ],
    [
      'one without its instant',
      (answer) => {
        answer.at = 'now';
      },
    ],
    [
      'one dated after its arrival',
      (answer) => {
        answer.as_of_ms = 60_000;
      },
    ],
    [
      'one older than 800 ms',
      (answer) => {
        answer.as_of_ms = -1_000;
      },
    ],
    [
      'one about an agent that was not asked for',
      (answer) => ({ ...answer, passports: { ...answer.passports, 'did:web:b.example:agents:b': null } }),
    ],
    [
      'one that says unread of another agent',
      (answer) => ({ ...answer, unread: ['did:web:b.example:agents:b'] }),
    ],
    ['one without the agent', (answer) => ({ ...answer, passports: {} })],
    ['text', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['503', Response.json({ code: 'storage_unavailable', detail: 'No.' }, { status: 503 })],
  ])('%s', async ([, bend]) => {
    const made = await bent();
    made.bend = bend;
    await expect(ask(made)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:service_unreachable|storage_unavailable)$/),
    });
    expect(made.verifier.state()).toMatchObject({ decided: 0, asked: 0 });
    expect(made.wire.to('/verify')).toEqual([]);
  });
});

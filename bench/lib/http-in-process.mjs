import { fetchHandler } from 'agent-identity-service/http';
import { readJson } from 'agent-identity-service/http/binding';
import { ratioOf, withRatios } from './part.mjs';
import { answering, assertEqualAnswers, measure, promising } from './rounds.mjs';
import { openService } from './service.mjs';
import { timeColumns } from './table.mjs';
import { target } from './target.mjs';
import { BODY_BYTES, httpWork } from './work.mjs';

const SOME = { verdict: 'ALLOW' };
const NONE = { verdict: 'DENY' };

/** Measures reading the request body: with strict checks, and in the simplest way. */
export async function measureReading({ rounds }) {
  const { bodies } = httpWork();
  const buffers = bodies.map((body) => Buffer.from(body));
  const inputs = () => Array.from({ length: 6_400 }, (_, index) => buffers[index % buffers.length]);
  const read = (parse) => (bytes) => (parse(bytes).agent_id === '' ? NONE : SOME);
  const LOOSE = 'JSON.parse(buffer.toString())';
  const STRICT = 'readJson, strict';
  const contestants = [
    answering(
      LOOSE,
      read((bytes) => JSON.parse(bytes.toString())),
    ),
    answering(STRICT, read(readJson)),
  ];
  assertEqualReading(buffers);
  const figures = await measure(contestants, { inputs, rounds });
  return {
    table: {
      title: `Reading the ${BODY_BYTES} bytes`,
      columns: timeColumns('x JSON.parse'),
      rows: withRatios(figures, LOOSE),
    },
    target: target('strict JSON / JSON.parse', ratioOf(figures, STRICT, LOOSE), { atMost: 1.15 }),
  };
}

/** Measures the fetch handler without a network. Most of its cost is creating `Request` and `Response`. */
export async function measureFetch({ rounds, isQuick }) {
  const { passports, bodies, expected } = httpWork();
  const { service, key, settle } = await openService(passports);
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const toRequest = (body) => new Request('http://localhost/api/verify', { method: 'POST', headers, body });
  const count = isQuick ? 64 : 1_920;
  const inputs = () => Array.from({ length: count }, (_, index) => toRequest(bodies[index % bodies.length]));
  const BARE = 'request.json(), Response.json() of the same size';
  const handler = fetchHandler(service);
  const bare = async (request) => {
    const { agent_id, parameters } = await request.json();
    const verdict = parameters.amount > 500 ? 'DENY' : 'ALLOW';
    return Response.json({ ...PADDING, verdict, agent_id });
  };
  const asked = (handle) => async (request) => (await handle(request)).json();
  const contestants = [promising(BARE, asked(bare)), promising('fetchHandler', asked(handler), { settle })];
  const once = { inputs: () => bodies.map(toRequest), expected };
  await assertEqualAnswers(contestants, once);
  const figures = await measure(contestants, { inputs, rounds, batch: 32 });
  await service.close();
  return {
    title: 'One request through the Fetch standard, in process',
    note: 'Both with the answer read as JSON.',
    columns: timeColumns('x bare handler', 'batches of 32'),
    rows: withRatios(figures, BARE),
  };
}

const PADDING = {
  reasons: [],
  decision_id: 'dec_00000000000000000000000000',
  action: 'payments.create',
  evaluated_at: '2026-11-20T12:00:00.000Z',
};

function assertEqualReading(buffers) {
  for (const bytes of buffers) {
    const [strict, loose] = [readJson(bytes), JSON.parse(bytes.toString())].map((value) =>
      JSON.stringify(value),
    );
    if (strict !== loose) throw new Error(`Read as ${strict}, not ${loose}`);
  }
}

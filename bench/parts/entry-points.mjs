/**
 * Measures the cost of the standard entry points: counting, tracing, the text for Prometheus, and an AuthZEN evaluation
 * compared with /verify.
 */
import { trace } from '@opentelemetry/api';
import { fetchHandler } from 'agent-identity-service/http';
import { createMetrics } from 'agent-identity-service/metrics';
import { traced } from 'agent-identity-service/otel';
import { finish, progress, ratioOf, readTask, withRatios } from '../lib/part.mjs';
import { assertEqualAnswers, measure, promising } from '../lib/rounds.mjs';
import { openService } from '../lib/service.mjs';
import { median } from '../lib/stats.mjs';
import { column, timeColumns } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';
import { httpWork } from '../lib/work.mjs';

const { isQuick, rounds } = readTask();
const INTENTS = isQuick ? 320 : 6_400;
const REQUESTS = isQuick ? 64 : 1_920;
const SCRAPES = isQuick ? 3 : 200;
const [PLAIN, COUNTED, TRACED] = ['verify', 'verify, with metrics', 'verify, traced without an SDK'];
const AGAIN = 'verify, of another service';
const [VERIFY, EVALUATION] = ['POST /verify', 'POST /access/v1/evaluation'];

const { passports, bodies, expected } = httpWork();

const verified = await verifying();
const asked = await asking();
const scraped = scraping();

finish({
  tables: [
    {
      title: 'A verdict, counted and traced',
      note: 'In process; the verdicts are recorded in memory.',
      columns: timeColumns('to verify'),
      rows: withRatios(verified, PLAIN),
    },
    {
      title: 'One request through the Fetch standard, in process',
      note: 'The same questions to the same service, as an intent and as an AuthZEN evaluation.',
      columns: timeColumns('to /verify', 'batches of 32'),
      rows: withRatios(asked, VERIFY),
    },
    {
      title: 'The text for Prometheus, with every series that there can be',
      columns: [column('p50', 'p50 of scrapes', 'ns'), column('bytes', 'text', 'bytes')],
      rows: [scraped],
    },
  ],
  targets: [
    target('verify with metrics / without', ratioOf(withBoth(verified), COUNTED, PLAIN), { atMost: 1.02 }),
    target('tracing without an SDK, more for a verdict', moreOf(TRACED) / 1_000, { atMost: 0.5, unit: 'us' }),
    target('an evaluation / a verify, CPU', ratioOf(asked, EVALUATION, VERIFY), { atMost: 1.15 }),
    target('the text for Prometheus', scraped.p50 / 1e6, { atMost: 5, unit: 'ms' }),
  ],
});

/** Returns the additional nanoseconds of a verdict compared with the plain one, within each round. */
function moreOf(name) {
  const of = (wanted) => verified.find((figure) => figure.name === wanted).perRound;
  return median(of(name).map((ns, round) => ns - of(PLAIN)[round]));
}

/**
 * Replaces the plain `verify` by the mean of two services. V8 runs the service that it met first faster, and the
 * difference is greater than the cost of counting.
 */
function withBoth(figures) {
  const [plain, again] = [PLAIN, AGAIN].map((wanted) => figures.find(({ name }) => name === wanted));
  const perRound = plain.perRound.map((ns, round) => (ns + again.perRound[round]) / 2);
  return [{ name: PLAIN, perRound }, ...figures.filter((figure) => figure !== plain)];
}

/**
 * Measures the same verdicts in a service that counts and in two that do not. One is opened before it, the other after
 * it.
 */
async function verifying() {
  const plain = await openService(passports);
  const counted = await openService(passports, { metrics: createMetrics() });
  const again = await openService(passports);
  const off = traced(plain.service, trace.getTracer('bench'));
  const intents = bodies.map((body) => JSON.parse(body));
  const inputs = () => Array.from({ length: INTENTS }, (_, index) => intents[index % intents.length]);
  const contestants = [
    promising(PLAIN, (intent) => plain.service.verify(intent), plain),
    promising(COUNTED, (intent) => counted.service.verify(intent), counted),
    promising(AGAIN, (intent) => again.service.verify(intent), again),
    promising(TRACED, (intent) => off.verify(intent), plain),
  ];
  progress('every verdict is compared');
  await assertEqualAnswers(contestants, { inputs: () => intents, expected });
  const report = (round, of) => progress(`verify: round ${round} of ${of}`);
  const figures = await measure(contestants, { inputs, rounds, report });
  await Promise.all([plain, counted, again].map(({ service }) => service.close()));
  return figures;
}

/** Measures the same questions as intents and as AuthZEN evaluations. */
async function asking() {
  const { service, key, settle } = await openService(passports, { authzen: {} });
  const handle = fetchHandler(service);
  const evaluations = bodies.map((body) => JSON.stringify(evaluationOf(JSON.parse(body))));
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const requests = (path, texts) => (count) =>
    Array.from({ length: count }, (_, index) => {
      return new Request(`http://localhost/api${path}`, {
        method: 'POST',
        headers,
        body: texts[index % texts.length],
      });
    });
  const verdictOf = async (request) => (await handle(request)).json();
  const decisionOf = async (request) => {
    const { decision } = await (await handle(request)).json();
    return { verdict: decision ? 'ALLOW' : 'DENY' };
  };
  const contestants = [
    { ...promising(VERIFY, verdictOf, { settle }), requests: requests('/verify', bodies) },
    {
      ...promising(EVALUATION, decisionOf, { settle }),
      requests: requests('/access/v1/evaluation', evaluations),
    },
  ].map((contestant) => ({ ...contestant, inputs: () => contestant.requests(REQUESTS) }));
  for (const contestant of contestants) {
    await assertEqualAnswers([contestant], { inputs: () => contestant.requests(bodies.length), expected });
  }
  const report = (round, of) => progress(`evaluation: round ${round} of ${of}`);
  const figures = await measure(contestants, { rounds, batch: 32, report });
  await service.close();
  return figures;
}

function evaluationOf({ agent_id, action, target: id = 'none', parameters: properties }) {
  return {
    subject: { type: 'agent', id: agent_id },
    action: { name: action, properties },
    resource: { type: 'counterparty', id },
  };
}

/** Measures the text for Prometheus with more names than can have their own series. */
function scraping() {
  const metrics = createMetrics();
  const figures = {
    journal: { queue: 1, dropped: 1 },
    caches: Object.fromEntries(
      ['passports', 'keys', 'accounts', 'domains'].map((kind) => [kind, { hits: 1, misses: 1 }]),
    ),
    storageUp: true,
  };
  metrics.watch(() => figures);
  const asked = { verdict: 'DENY', environment: 'live', dry_run: false };
  for (let n = 0; n < 2_000; n += 1) {
    metrics.onVerdict({ ...asked, reasons: [{ code: `rule_${n}`, message: 'x' }] }, { latencyUs: n });
    metrics.onError(new Error(`${n}`));
    metrics.onRequest(`/route-${n % 100}`, 200 + (n % 20));
    metrics.onStorage(`kind-${n}`, n / 1e6);
  }
  const samples = Array.from({ length: SCRAPES }, () => {
    const startedAt = performance.now();
    const text = metrics.text();
    if (!text.includes('rule_1')) throw new Error('The text has no counts.');
    return (performance.now() - startedAt) * 1e6;
  });
  return { name: 'metrics.text()', p50: median(samples), bytes: metrics.text().length };
}

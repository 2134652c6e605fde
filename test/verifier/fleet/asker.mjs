/**
 * An application that asks about subjects all the time: `{ subject }` begins, `{ over }` ends. Each tenth of a second it
 * says of each when its last ALLOW began, and the last question that was answered, by the clock of the machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const { createIdentityClient } = await import('../../../dist/client.js');
const { createLocalVerifier } = await import('../../../dist/verifier.js');

const REPORT_MS = 100;
/** Between two questions about a subject, on the average. */
const ASK_MS = 20;
/** The questions about one subject that may wait at the same time. */
const AT_ONCE = 4;

const askers = new Map();
const subjects = new Map();
const counts = { own: 0, asked: 0, failed: 0 };

const present = () => Number(process.hrtime.bigint()) / 1e6;

process.on('message', ({ subject, over }) => {
  if (subject) begin(subject);
  if (over) end(over);
});
setInterval(() => {
  const seen = [...subjects.values()].map(({ id, last, answered }) => [id, last, answered]);
  process.send({ seen, counts });
}, REPORT_MS);

function begin(given) {
  const subject = { ...given, last: 0, answered: 0, open: 0 };
  subjects.set(subject.id, subject);
  void askOn(subject);
}

/** A verifier that no subject needs any more is closed: it would go on confirming for half a minute. */
function end(id) {
  const { apiKey } = subjects.get(id);
  subjects.delete(id);
  if ([...subjects.values()].some((other) => other.apiKey === apiKey)) return;
  void askers.get(apiKey)?.close();
  askers.delete(apiKey);
}

async function askOn(subject) {
  const asker = askerOf(subject);
  while (subjects.has(subject.id)) {
    if (subject.open < AT_ONCE) void ask(asker, subject);
    await sleep(Math.random() * 2 * ASK_MS);
  }
}

async function ask(asker, subject) {
  subject.open += 1;
  const intent = { agent_id: subject.agent_id, action: 'orders.pay', parameters: { amount: 5 } };
  const startedAt = present();
  try {
    const { verdict, verifier } = await asker.verify(intent);
    counts[verifier === null ? 'asked' : 'own'] += 1;
    if (verdict === 'ALLOW') subject.last = Math.max(subject.last, startedAt);
  } catch {
    counts.failed += 1;
  }
  subject.open -= 1;
  subject.answered = Math.max(subject.answered, startedAt);
}

/** A verifier in this process, or the client of the command at `command`. */
function askerOf({ apiKey, baseUrl, command }) {
  if (command) return createIdentityClient({ baseUrl: command, apiKey });
  if (!askers.has(apiKey)) askers.set(apiKey, createLocalVerifier({ baseUrl, apiKey }));
  return askers.get(apiKey);
}

/**
 * Checks whether a verdict has become much slower than the code that it is based on: npm run bench:guard
 *
 * It compares the fastest batches within this process. Other work on the machine only makes batches slower, so the
 * fastest batches are stable. The bounds are wide, to find mistakes and not changes of a few per cent.
 */
import { createToolGuard } from 'agent-identity-service/guard';
import { decide } from 'agent-identity-service/verdict';
import { compile, createAsyncFloor } from './lib/floors.mjs';
import { evaluatorsOf, inHand, preparedEvaluators } from './lib/in-hand.mjs';
import { answering, assertEqualAnswers, measure, promising } from './lib/rounds.mjs';
import { openService } from './lib/service.mjs';
import { EVALUATED_AT as at, freshIntents, makeWork } from './lib/work.mjs';

/** The maximum factor of each figure compared with its baseline. It is about three times the measured factor. */
const BOUNDS = [
  { name: 'decide, prepared', floor: 'compiled floor', most: 8 },
  { name: 'decide, plain', floor: 'compiled floor', most: 50 },
  { name: 'service.verify', floor: 'async floor', most: 60 },
  { name: 'guard.judge', floor: 'service.verify', most: 5 },
];
const ROUNDS = 5;
/** The number of attempts, because the machine may be busy during a measurement. */
const ATTEMPTS = 3;

const { passports, texts, expected } = makeWork({ intents: 2_000 });
const plain = new Map(passports.map((passport) => [passport.agent_id, passport]));
const { service, settle } = await openService(passports);
const guard = createToolGuard({
  verifier: service,
  agentId: ({ args }) => args.agent_id,
  tools: { any: ({ action, target, parameters }) => ({ action, target, parameters }) },
});
async function callTool(intent) {
  const { allowed } = await guard.judge({ name: 'any', args: intent });
  return { verdict: allowed ? 'ALLOW' : 'DENY' };
}
const contestants = [
  inHand('compiled floor', texts, evaluatorsOf(passports, compile)),
  inHand('decide, prepared', texts, preparedEvaluators(passports)),
  answering('decide, plain', (intent) => decide({ passport: plain.get(intent.agent_id), intent, at })),
  promising('async floor', createAsyncFloor(passports)),
  promising('service.verify', (intent) => service.verify(intent), { settle }),
  promising('guard.judge', callTool, { settle }),
];
const inputs = () => freshIntents(texts);
await assertEqualAnswers(contestants, { inputs, expected });

let tooSlow = [];
for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
  tooSlow = pastBounds(await measure(contestants, { inputs, rounds: ROUNDS }));
  if (tooSlow.length === 0) break;
}
await service.close();
for (const { name, floor, most } of tooSlow)
  console.error(`${name} takes more than ${most} times the ${floor}.`);
if (tooSlow.length > 0) process.exitCode = 1;

function pastBounds(figures) {
  const fastest = (name) => figures.find((figure) => figure.name === name).fastest;
  return BOUNDS.filter(({ name, floor, most }) => {
    const ratio = fastest(name) / fastest(floor);
    console.log(`${name}: ${ratio.toFixed(2)} x ${floor} (at most ${most})`);
    return ratio > most;
  });
}

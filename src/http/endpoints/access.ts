import type { Authzen } from '../../base/authzen.ts';
import { MAX_BATCH_MEMBERS } from '../../base/values/json-data.ts';
import { askingAs, assertKey, type IdentityService } from '../../core.ts';
import { IdentityError } from '../../errors.ts';
import type { Intent } from '../../records.ts';
import { type AskVerdict, evaluateAll, evaluateOne } from '../access/evaluate.ts';
import { type Call, type Endpoint, endpoint } from '../endpoint.ts';

/**
 * The endpoints of the AuthZEN Authorization API 1.0. Only this file handles the differences between AuthZEN and the
 * rest of this API.
 */
export const accessEndpoints: readonly Endpoint[] = [
  endpoint({
    ...shared(),
    path: '/access/v1/evaluation',
    room: 'verify',
    summary: 'Evaluate an AuthZEN request',
    body: { schema: 'AccessEvaluation' },
    success: { status: 200, description: 'The decision, with every reason.', schema: 'AccessDecision' },
    handle: (call) =>
      replied(
        call,
        () => 'access/v1/evaluation',
        (authzen, ask) => evaluateOne(call.body, authzen, ask),
      ),
  }),
  endpoint({
    ...shared(),
    path: '/access/v1/evaluations',
    room: 'verify',
    summary: 'Evaluate up to 100 AuthZEN requests',
    body: { schema: 'AccessEvaluations', maxBytes: 1024 * 1024, maxMembers: MAX_BATCH_MEMBERS },
    success: {
      status: 200,
      description: 'The decisions in the order of the questions; without `evaluations` a single decision.',
      schema: 'AccessDecisions',
    },
    handle: (call) =>
      replied(
        call,
        (place) => `access/v1/evaluations#${place}`,
        (authzen, ask) => evaluateAll(call, call.body, { authzen, ask }),
      ),
  }),
];

function shared() {
  return {
    method: 'POST',
    tag: 'AuthZEN',
    credential: 'key',
    scope: 'verify',
    bearerKeys: true,
    counted: true,
    idempotent: true,
    errorsAs: 'text',
    errors: ['conflict'],
    needs: ({ serving }: IdentityService) => serving.authzen !== undefined,
  } as const;
}

async function replied(
  { service, caller, once }: Call<'key'>,
  routeOf: (place: number) => string,
  evaluate: (authzen: Authzen, ask: AskVerdict) => Promise<object>,
) {
  const { authzen } = service.serving;
  if (authzen === undefined) throw new IdentityError('not_found', 'There is nothing at this path.');
  const { idempotencyKey: key } = once;
  if (key === undefined) {
    return { body: await evaluate(authzen, (intent: Intent) => service.verify(intent, caller)) };
  }
  // Checked here once: inside the loop, a bad key would become an error of each evaluation.
  assertKey(key);
  let askedCount = 0;
  let replayedCount = 0;
  const onReplayed = (): void => {
    replayedCount += 1;
  };
  const body = await evaluate(authzen, (intent, place) => {
    askedCount += 1;
    return service.verify(
      intent,
      askingAs(caller, { idempotencyKey: key, onReplayed, idempotencyRoute: routeOf(place) }),
    );
  });
  const isReplayed = askedCount > 0 && replayedCount === askedCount;
  return { body, ...(isReplayed && { headers: { 'idempotent-replayed': 'true' } }) };
}

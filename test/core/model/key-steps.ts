import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer } from '../../support/api.ts';
import { activeKeys, KEYS_OF_PLAN, keyStatus, type Toy, type ToyKey } from '../../support/toy-model.ts';
import {
  AGENTS,
  bySession,
  end,
  endsIn,
  expectStatus,
  instant,
  keyIn,
  pick,
  type Request,
  SECOND,
  type Steps,
  sessionFor,
  sessionOf,
  step,
} from './step.ts';

const keyInput = fc.record({
  environment: fc.constantFrom('live', 'test'),
  scopes: fc.subarray(['verify', 'revoke', 'reinstate'], { minLength: 1 }),
  agents: fc.option(fc.subarray(AGENTS, { minLength: 1 })),
  seconds: endsIn,
});

export const createKey: Steps = (who) =>
  fc.tuple(who, keyInput).map(([index, { environment, agents, seconds, ...input }]) =>
    step(`key by ${index}`, (planned) => {
      const scopes = environment === 'test' ? ['verify'] : input.scopes;
      const endsAt = end(planned, seconds);
      const agentIds = agents?.map(({ id }) => id) ?? null;
      const json = {
        name: 'k',
        environment,
        scopes,
        ...(agentIds !== null && { agent_ids: agentIds }),
        ...(seconds !== undefined && { expires_at: instant(endsAt) }),
      };
      const request = ['POST', '/keys', { json }] as const;
      return bySession(sessionOf(planned, index), request, (toy, answer, { account }) => {
        if (activeKeys(toy, account) >= KEYS_OF_PLAN) return expectStatus(answer, 403, 'plan_limit_reached');
        expectStatus(answer, 201);
        const { id, key } = answer.body as { id: string; key: string };
        toy.keys.push({ id, key, account, environment, scopes, agentIds, state: 'active', endsAt });
      });
    }),
  );

/** Does something to a key by a session: 404 for a key of another account. */
function onKey(
  label: string,
  request: (key: ToyKey) => Request,
  then: (toy: Toy, key: ToyKey, answer: Answer) => void,
): Steps {
  return (who, which) =>
    fc.tuple(who, which).map(([index, at]) =>
      step(`${label} ${at} by ${index}`, (planned) => {
        const known = pick(planned.keys, at);
        if (known === undefined) return undefined;
        return bySession(
          sessionFor(planned, known.account, index),
          request(known),
          (toy, answer, { account }) => {
            const key = keyIn(toy, known);
            if (account !== key.account) return expectStatus(answer, 404, 'not_found');
            then(toy, key, answer);
          },
        );
      }),
    );
}

export const rotate: Steps = (who, which) =>
  fc.constantFrom(0, 60, 604_800).chain((grace_seconds) =>
    onKey(
      `rotate with ${grace_seconds}`,
      ({ id }) => ['POST', `/keys/${id}/rotate`, { json: { grace_seconds } }],
      (toy, old, answer) => {
        if (keyStatus(toy, old) !== 'active') return expectStatus(answer, 409, 'conflict');
        expectStatus(answer, 201);
        const { id, key } = answer.body as { id: string; key: string };
        toy.keys.push({ ...old, id, key });
        old.state = grace_seconds === 0 ? 'revoked' : 'rotating';
        if (grace_seconds > 0) old.endsAt = Math.min(old.endsAt, toy.now + grace_seconds * SECOND);
      },
    )(who, which),
  );

export const patchKey: Steps = (who, which) =>
  fc.subarray(['verify', 'revoke', 'reinstate'], { minLength: 1 }).chain((scopes) =>
    onKey(
      `patch to ${scopes}`,
      ({ id }) => ['PATCH', `/keys/${id}`, { json: { scopes } }],
      (toy, key, answer) => {
        if (key.environment === 'test' && scopes.join() !== 'verify') return expectStatus(answer, 400);
        const usable = ['active', 'rotating'].includes(keyStatus(toy, key));
        if (!usable) return expectStatus(answer, 409, 'conflict');
        expectStatus(answer, 200);
        key.scopes = scopes;
      },
    )(who, which),
  );

export const revokeKey: Steps = onKey(
  'revoke key',
  ({ id }) => ['DELETE', `/keys/${id}`],
  (_, key, answer) => {
    expectStatus(answer, 204);
    key.state = 'revoked';
  },
);

export const showKey: Steps = onKey(
  'show key',
  ({ id }) => ['GET', `/keys/${id}`],
  (toy, key, answer) =>
    expect(answer.body).toMatchObject({ status: keyStatus(toy, key), scopes: key.scopes }),
);

/** Without an ALLOW nothing moves: no counter, spend, hold, approval or proof, and there is no permit. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { IdentityError } from '../../../src/errors.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Intent, VerdictRecord } from '../../../src/records.ts';
import { createIntentSigner } from '../../../src/tokens/proof/sign-intent.ts';
import { ED25519 } from '../../support/prover.ts';
import { cases, IS_FULL } from '../../support/runs.ts';
import { PUBLIC_URL } from '../../support/service.ts';
import { claimsOf } from '../../support/signing.ts';
import { dump } from '../../support/storage-probe.ts';
import { AUDIENCE, type Fault, ISSUER, openPermits, PAYMENT } from './stage.ts';

const question = fc.record({
  isChild: fc.boolean(),
  action: fc.constantFrom('payments.create', 'payments.create', 'payments.create', 'fly'),
  amount: fc.constantFrom(1, '19.90', 30, 60, 101),
  permit: fc.option(
    fc.record({
      audience: fc.constant(AUDIENCE),
      seconds: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      bind: fc.boolean(),
    }),
    { nil: undefined, freq: 4 },
  ),
  proof: fc.constantFrom('none', 'none', 'new', 'the last', 'of another intent'),
  approval: fc.constantFrom('none', 'none', 'approved', 'the last', 'unknown'),
  // None lapses meanwhile, which would give back what it holds.
  hold_seconds: fc.constantFrom(undefined, 3_600),
  dry_run: fc.constantFrom(false, false, true),
  key: fc.constantFrom(undefined, 'a', 'b'),
  caller: fc.constantFrom('host', 'with permit', 'without permit'),
  fault: fc.constantFrom<Fault | 'no writes'>('none', 'none', 'none', 'throws', 'unknown key', 'no writes'),
  waits: fc.constantFrom(0, 400, 7_300, 61_000),
});
const terms = fc.record({
  budgets: fc.constantFrom([], [{ name: 'day', window: 'day' as const, limit: 100 }]),
  approval: fc.constantFrom(undefined, { above: 25 }),
  proof: fc.constantFrom('optional' as const, 'intent' as const),
  endsIn: fc.constantFrom(undefined, 70_000),
});

type Terms = typeof terms extends fc.Arbitrary<infer Value> ? Value : never;
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

async function openStage({ budgets, approval, proof, endsIn }: Terms) {
  const inner = memoryStorage();
  const state = { isBroken: false };
  const storage: StorageAdapter = {
    ...inner,
    async write(changes) {
      // A single call that was too late does not count as an outage.
      if (state.isBroken) throw Object.assign(new Error('Too late.'), { name: 'TimeoutError' });
      return inner.write(changes);
    },
  };
  const passport = { budgets, proof, public_keys: [ED25519.public_jwk], ...(approval && { approval }) };
  const opened = await openPermits(passport, {}, storage);
  const { service, clock, agent_id } = opened;
  await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'child', parent_agent_id: agent_id, currency: 'EUR' },
    ...{ allowed_actions: ['payments.*'], monetary_limit_per_txn: 100, public_keys: [ED25519.public_jwk] },
  });
  if (endsIn !== undefined) await service.passports.update(agent_id, { expires_at: clock.instant(endsIn) });
  const keyOf = async (scopes: readonly ('verify' | 'permit')[]) =>
    (await service.keys.create({ name: scopes.join(), scopes })).key;
  const keys = {
    'with permit': await keyOf(['verify', 'permit']),
    'without permit': await keyOf(['verify']),
  };
  const signers = new Map(
    [agent_id, `${ISSUER}:agents:child`].map((id) => [
      id,
      createIntentSigner({ key: ED25519.private_jwk, agent_id: id, audience: PUBLIC_URL }),
    ]),
  );
  return { ...opened, keys, signers, storage, state };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

/** What an earlier question has left. */
interface Left {
  proof?: string | undefined;
  approval_id?: string | undefined;
}

/** The intent of a question, with a proof and an approval of what it means. */
async function intentOf(stage: Stage, asked: Question, left: Left): Promise<Intent> {
  const { service, clock, agent_id, signers } = stage;
  const { isChild, action, amount, permit, hold_seconds, dry_run } = asked;
  const id = isChild ? `${ISSUER}:agents:child` : agent_id;
  const plain = {
    ...{ agent_id: id, action, target: PAYMENT.target, parameters: { amount, currency: 'EUR' } },
    ...(permit && { permit: { audience: AUDIENCE, bind: permit.bind, ...secondsOf(permit) } }),
    ...(hold_seconds && { hold_seconds }),
    ...(dry_run && { dry_run }),
  };
  const sign = async (meant: Intent) =>
    signers.get(id)?.sign(meant, { iat: Math.floor(clock.now() / 1_000) });
  if (asked.approval === 'approved') {
    const { permit: _, ...bare } = plain;
    const first = await service.verify({ ...bare, dry_run: false, proof: (await sign(plain)) ?? '' });
    const reason = first.reasons.find(({ code }) => code === 'approval_required');
    const approval_id = reason?.['approval_id'];
    if (typeof approval_id === 'string') {
      await service.approvals.approve(approval_id);
      left.approval_id = approval_id;
    }
  }
  if (asked.proof === 'new') left.proof = await sign(plain);
  if (asked.proof === 'of another intent') left.proof = await sign({ ...plain, parameters: { amount: 2 } });
  const approval_id = asked.approval === 'unknown' ? `apr_${'0'.repeat(26)}` : left.approval_id;
  return {
    ...plain,
    ...(asked.proof !== 'none' && left.proof !== undefined && { proof: left.proof }),
    ...(asked.approval !== 'none' && approval_id !== undefined && { approval_id }),
  };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function secondsOf({ seconds }: { readonly seconds: number | undefined }) {
  return seconds === undefined ? {} : { seconds };
}

/** What the claims say, against the record. */
function expectClaims(token: string, record: VerdictRecord, { bind }: { readonly bind: boolean }): void {
  const { permit, cnf, ...claims } = claimsOf(token) as { permit: object; cnf?: object; exp: number };
  const { environment, action, target, passport_version, ancestor_versions, proof_kid } = record;
  expect(permit).toEqual({
    ...{ environment, action, target, amount: `${record.amount}`, currency: record.currency },
    ...{ digest: expect.stringMatching(/^[0-9a-f]{64}$/), passport_version },
    ...(ancestor_versions !== null && { ancestor_versions }),
  });
  expect(cnf).toEqual(bind ? { jkt: proof_kid } : undefined);
  const iat = Math.floor(Date.parse(record.evaluated_at) / 1_000);
  expect(claims).toMatchObject({ jti: record.decision_id, sub: record.agent_id, iat, aud: AUDIENCE });
  expect(claims.exp - iat).toBeLessThanOrEqual(60);
}

/** All that is stored, without the approvals that are asked for and their events. */
const withoutApprovals = (text: string) =>
  JSON.stringify(JSON.parse(text), (_, value) => (Array.isArray(value) ? value.filter(isNoRequest) : value));

function isNoRequest(one: { readonly id?: unknown; readonly type?: unknown } | null): boolean {
  return !`${one?.id}`.startsWith('apr_') && one?.type !== 'approval.requested';
}

test('after DENY, 403 and 503 what is stored is what it was; a permit is there for an ALLOW alone', async () => {
  const seen = new Map<string, number>();
  const oneStage = async (given: Terms, questions: readonly Question[]) => {
    const stage = await openStage(given);
    const { service, clock, signer, storage, state, keys } = stage;
    const left: Left = {};
    for (const asked of questions) {
      clock.advance(asked.waits);
      const intent = await intentOf(stage, asked, left);
      const before = await dump(storage);
      signer.fault = asked.fault === 'no writes' ? 'none' : asked.fault;
      state.isBroken = asked.fault === 'no writes';
      let isReplay = false;
      const options = {
        idempotencyKey: asked.key && `${asked.key}${digestOf({ ...intent, proof: undefined })}`,
        onReplayed: () => {
          isReplay = true;
        },
      };
      const answer = await (asked.caller === 'host'
        ? service.verify(intent, options)
        : service.verifyAs(keys[asked.caller], intent, options)
      ).catch((error: IdentityError) => error);
      signer.fault = 'none';
      state.isBroken = false;
      const after = await dump(storage);
      const isAsked = asked.permit !== undefined;
      const what = answer instanceof IdentityError ? answer.code : answer.verdict;
      seen.set(what, (seen.get(what) ?? 0) + 1);
      if (answer instanceof IdentityError) {
        const isForbidden = isAsked && asked.caller === 'without permit';
        expect(what === 'insufficient_scope').toBe(isForbidden);
        if (!isForbidden) expect([asked.fault, what]).not.toContain('none');
        expect(after).toBe(before);
        continue;
      }
      const { verdict, permit, reasons } = answer;
      for (const { code } of reasons) seen.set(code, (seen.get(code) ?? 0) + 1);
      expect('permit' in answer).toBe(isAsked);
      if (verdict === 'DENY' || answer.dry_run) {
        expect(permit ?? null).toBe(null);
        expect(answer.permit_audience).toBe(null);
        if (reasons[0]?.code !== 'approval_required') expect(after).toBe(before);
        else expect(withoutApprovals(after)).toBe(withoutApprovals(before));
      } else if (isAsked && !isReplay) {
        expect(answer.permit_audience).toBe(AUDIENCE);
        expectClaims(permit ?? '', answer, { bind: asked.permit?.bind === true });
      }
    }
  };
  const questions = fc.array(question, { minLength: 1, maxLength: 10 });
  await fc.assert(fc.asyncProperty(terms, questions, oneStage), { numRuns: cases(400) });
  if (!IS_FULL) return;
  // Each way to move nothing was seen.
  const codes = ['ALLOW', 'DENY', 'insufficient_scope', 'overloaded', 'permit_unavailable'];
  const others = ['proof_required', 'proof_invalid', 'approval_required', 'approval_mismatch'];
  expect([...codes, ...others].filter((code) => !seen.has(code))).toEqual([]);
}, 240_000);

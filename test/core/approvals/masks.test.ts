/** No small changes, each of which seems to widen nothing, add up to one that nobody saw. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdentityError } from '../../../src/errors.ts';
import type { Passport, PassportPatch } from '../../../src/records.ts';
import { compare } from '../../../src/verdict/compare/index.ts';
import { cases } from '../../support/runs.ts';
import { stores } from '../../support/stores.ts';
import { barred, openTeam } from './team-stage.ts';

const RULE = { above: 100, changes: true, by: 'another' } as const;

async function open(openStore = stores[0]?.[1], rule: object = RULE) {
  const team = await openTeam(rule, openStore);
  const eve = await team.person('eve', 'admin');
  const fay = await team.person('fay', 'admin');
  const { service, agent_id } = team;
  const update = (patch: object, by: Team, options: object = {}) =>
    service.passports.update(agent_id, patch as PassportPatch, { ...by, ...options });
  const asked = async (change: Promise<unknown>): Promise<string> => {
    const error = await change.then(
      () => expect.fail('The change was applied.'),
      (thrown: unknown) => thrown as IdentityError,
    );
    expect(error).toMatchObject({ code: 'second_person_required' });
    return error.details['approval_id'] as string;
  };
  return { ...team, eve, fay, update, asked };
}
type Team = Awaited<ReturnType<typeof openTeam>>['ann'];

const MASKS: readonly PassportPatch[] = [
  { denied_actions: ['*'] },
  { budgets: [{ name: 'mask', window: 'lifetime', limit: '0.01' }] },
  { allowed_targets: [] },
];

describe.each(stores)('behind a mask in %s', (_, openStore) => {
  test.each(MASKS)('%j a change that widens waits, and shows the whole difference', async (mask) => {
    const { service, update, asked, approve, ann, ben, dan, eve } = await open(openStore);
    await update(mask, dan);
    const patch = { monetary_limit_per_txn: 90_000, approval: { above: 50_000 } };
    const id = await asked(update(patch, dan));
    const { change } = await service.approvals.get(id, ann);
    expect(change).toMatchObject({ since: 1, version: 2 });
    const [field] = Object.keys(mask);
    expect(change?.difference.map((one) => one.field).sort()).toEqual(
      ['approval', `${field}`, 'monetary_limit_per_txn'].sort(),
    );
    // The mask is the author's own: it asks for all of the difference.
    await expect(approve(id, dan)).rejects.toMatchObject(barred('requested'));
    const other = await asked(update({ monetary_limit_per_txn: 80_000 }, eve));
    await expect(approve(other, dan)).rejects.toMatchObject(barred('changed'));
    expect((await approve(other, ben)).status).toBe('approved');
    expect(await update({ monetary_limit_per_txn: 80_000 }, eve, { approvalId: other })).toMatchObject({
      version: 3,
    });
  });

  test('the one who removes it shows what was changed behind it, and none of its authors approves', async () => {
    const { service, update, asked, approve, ann, ben, dan, eve, fay } = await open(openStore);
    await update({ denied_actions: ['*'], description: 'closed' }, dan);
    await update({ monetary_limit_per_txn: 10 }, eve);
    const id = await asked(update({ denied_actions: null }, fay));
    const { change } = await service.approvals.get(id, ann);
    expect(change?.difference).toEqual([
      { field: 'monetary_limit_per_txn', before: expect.anything(), after: 10 },
      { field: 'description', before: null, after: 'closed' },
    ]);
    for (const author of [dan, eve]) {
      await expect(approve(id, author)).rejects.toMatchObject(barred('changed'));
    }
    await approve(id, ben);
    await update({ denied_actions: null }, fay, { approvalId: id });
    // Everybody starts again from what was approved.
    const next = await asked(update({ monetary_limit_per_txn: 20 }, fay));
    expect((await service.approvals.get(next, ann)).change).toMatchObject({ since: 4, version: 4 });
  });

  test('If-Narrower refuses what widens, and the author counts as the one who widened', async () => {
    const { service, agent_id, update, keyOf, request, approve, dan, eve } = await open(openStore, {
      ...{ above: 100, by: 'another' },
    });
    await update({ denied_actions: ['*'] }, dan);
    const wide = { monetary_limit_per_txn: 90_000 };
    await expect(update(wide, dan, { ifNarrower: true })).rejects.toMatchObject({ code: 'would_widen' });
    await update(wide, dan);
    const stored = await service.passports.get(agent_id, dan);
    expect(stored).not.toHaveProperty('authors');
    expect(stored).not.toHaveProperty('reviewed_version');
    // The operator takes the mask away without being the one who widened for the others.
    expect((await update({ monetary_limit_per_txn: 80_000 }, eve, { ifNarrower: true })).version).toBe(4);
    await service.passports.update(agent_id, { denied_actions: null }, { ...dan });
    const id = await request(await keyOf(eve));
    await expect(approve(id, dan)).rejects.toMatchObject({ code: 'second_person_required' });
  });
});

const patch: fc.Arbitrary<PassportPatch> = fc.oneof(
  fc.record({ denied_actions: fc.constantFrom(null, ['*'], ['payments.*'], ['orders.*']) }),
  fc.record({ allowed_actions: fc.constantFrom(['*'], ['payments.*'], ['payments.create'], []) }),
  fc.record({ allowed_targets: fc.constantFrom(null, [], ['did:web:*.a.com'], ['did:web:x.a.com']) }),
  fc.record({ monetary_limit_per_txn: fc.constantFrom(1, 10, 100, 1_000, 20_000, 90_000) }),
  fc.record({
    approval: fc.record({ above: fc.constantFrom(10, 100, 1_000), count: fc.constantFrom(1, 2) }),
  }),
  fc.record({
    budgets: fc.constantFrom(
      null,
      [{ name: 'mask', window: 'lifetime' as const, limit: '0.01' }],
      [{ name: 'day', window: 'day' as const, limit: 100 }],
      [{ name: 'day', window: 'day' as const, limit: 5_000 }],
      [
        { name: 'day', window: 'day' as const, limit: 9_000 },
        { name: 'mask', window: 'lifetime' as const, limit: 0 },
      ],
    ),
  }),
  fc.record({ not_before: fc.constantFrom(null, '2098-01-01T00:00:00.000Z') }),
  fc.record({ description: fc.constantFrom(null, 'one', 'two') }),
) as fc.Arbitrary<PassportPatch>;

test('no sequence of small changes that pass without a person allows more, whatever is taken back', async () => {
  const { service, agent_id: first, dan, eve, ann } = await open();
  const made = await service.passports.get(first, ann);
  let played = 0;
  let applied = 0;
  const step = fc.tuple(patch, fc.boolean());
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.boolean()),
      async (steps, drawn) => {
        const { agent_name: _, ...may } = inputOf(made);
        const agent_name = `agent-${played++}`;
        const base = await service.passports.create({ ...may, agent_name, approval: RULE }, ann);
        for (const [change, isDan] of steps) {
          const by = isDan ? dan : eve;
          const now = await service.passports
            .update(base.agent_id, change, by)
            .catch((error: IdentityError) => {
              if (!(error instanceof IdentityError)) throw error;
              expect(['second_person_required', 'invalid_request']).toContain(error.code);
              return undefined;
            });
          if (now === undefined) continue;
          applied += 1;
          const back = Object.entries(base).filter(() => drawn.next().value === true);
          const mixed = { ...now, ...Object.fromEntries(back) } as Record<string, unknown>;
          for (const field of Object.keys(now)) {
            if (!Object.hasOwn(base, field) && drawn.next().value === true) delete mixed[field];
          }
          expect(compare(base, mixed as unknown as Passport).wider).toEqual([]);
        }
      },
    ),
    { numRuns: cases(2_000) },
  );
  expect(applied).toBeGreaterThan(played / 4);
});

function inputOf(passport: Passport) {
  const { domain, agent_name, allowed_actions, monetary_limit_per_txn, currency, monetary_actions } =
    passport;
  return {
    ...{ domain, agent_name, allowed_actions, monetary_limit_per_txn },
    ...(currency !== undefined && { currency }),
    ...(monetary_actions !== undefined && { monetary_actions }),
  };
}

/** An approval shows the permit that its intent asks for, and allows no other one. */
import { expect, test } from 'vitest';
import { AUDIENCE, openPermits } from '../../identity/permits/stage.ts';
import { codesOf, idIn } from './stage.ts';

const OTHER = 'https://attacker.example';

async function openAsked() {
  const stage = await openPermits({ approval: { actions: ['payments.create'] } });
  const { service, intentOf } = stage;
  const ask = (permit: object | undefined, approval_id?: string) => {
    const { permit: _, ...intent } = intentOf();
    return service.verify({
      ...intent,
      ...(permit !== undefined && { permit: permit as { audience: string } }),
      ...(approval_id !== undefined && { approval_id }),
    });
  };
  return { ...stage, ask };
}

test('an approval shows audience, seconds and binding of the permit, with their defaults', async () => {
  const { service, ask } = await openAsked();
  const id = idIn((await ask({ audience: AUDIENCE })).reasons);
  const permit = { audience: AUDIENCE, seconds: 30, bind: false };
  expect((await service.approvals.get(id)).intent).toMatchObject({ action: 'payments.create', permit });
  const without = idIn((await ask(undefined)).reasons);
  expect(without).not.toBe(id);
  expect((await service.approvals.get(without)).intent).not.toHaveProperty('permit');
});

test('an approved intent gets no permit but the one that was shown', async () => {
  const { service, ask, use, spent } = await openAsked();
  const id = idIn((await ask({ audience: AUDIENCE })).reasons);
  await service.approvals.approve(id);
  const others = [{ audience: OTHER }, { audience: `${AUDIENCE}/` }, { audience: AUDIENCE, seconds: 60 }];
  for (const permit of [...others, undefined])
    expect(codesOf(await ask(permit, id))).toEqual(['approval_mismatch']);
  expect(await spent()).toBe(0);
  const { verdict, permit } = await ask({ audience: AUDIENCE, seconds: 30 }, id);
  expect(verdict).toBe('ALLOW');
  expect((await use(permit)).decision_id).toMatch(/^dec_/);
});

test('an intent that was approved without a permit gets none', async () => {
  const { service, ask } = await openAsked();
  const id = idIn((await ask(undefined)).reasons);
  await service.approvals.approve(id);
  expect(codesOf(await ask({ audience: AUDIENCE }, id))).toEqual(['approval_mismatch']);
  expect((await ask(undefined, id)).verdict).toBe('ALLOW');
});

test('the event of an approval names the audience', async () => {
  const { service, ask } = await openAsked();
  const stream = await service.events.open({ types: ['approval.*'] });
  await ask({ audience: AUDIENCE });
  expect(await stream.read(2_000)).toMatchObject([{ data: { intent: { permit: { audience: AUDIENCE } } } }]);
  stream.close();
});

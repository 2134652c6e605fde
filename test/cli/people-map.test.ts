/** The map of `--oidc-map`: claims of any type place a person only where one of them is the value. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPeopleMap } from '../../adapters/cli/serve/oidc.ts';
import type { OidcClaims } from '../../src/types.ts';
import { openFolder } from '../support/process.ts';
import { openService, PASSWORD } from '../support/service.ts';

/** A map of these entries, whose account is that of Ann. */
async function openMap(...entries: readonly { readonly claim: string; readonly value: unknown }[]) {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const { service } = openService();
  const { id } = await service.accounts.create({ email: 'ann@example.com', password: PASSWORD });
  const path = join(folder, 'map.json');
  writeFileSync(path, JSON.stringify(entries.map((entry) => ({ ...entry, account: id, role: 'approver' }))));
  const { map, bind } = await readPeopleMap(path);
  await bind(service);
  const placed = (claims: object) =>
    map({ iss: 'https://login.example', sub: 'ben', ...claims } as OidcClaims);
  return { placed, place: { account_id: id, role: 'approver' } };
}

test.each<[claims: object]>([
  [{ groups: 'payments team' }],
  [{ groups: { payments: true } }],
  [{ groups: { 0: 'payments', length: 1 } }],
  [{ groups: [['payments']] }],
  [{ groups: ['Payments'] }],
  [{ groups: [{ name: 'payments' }] }],
  [{ groups: 7 }],
  [{ groups: true }],
  [{ groups: null }],
  [{}],
])('claims such as %j place no person', async (claims) => {
  const { placed, place } = await openMap({ claim: 'groups', value: 'payments' });
  expect(placed(claims)).toBeNull();
  for (const groups of ['payments', ['staff', 'payments']]) expect(placed({ groups })).toEqual(place);
});

test('a value is of its own type: a number is no text, and a text is not true', async () => {
  const { placed, place } = await openMap({ claim: 'level', value: 3 }, { claim: 'staff', value: true });
  for (const claims of [{ level: '3' }, { level: ['3'] }, { staff: 'true' }, { staff: 1 }])
    expect(placed(claims)).toBeNull();
  for (const claims of [{ level: 3 }, { level: [1, 3] }, { staff: true }])
    expect(placed(claims)).toEqual(place);
});

test.each<[claims: object]>([
  [{ realm_access: 'roles' }],
  [{ realm_access: null }],
  [{ realm_access: ['agents'] }],
  [{ realm_access: { roles: { agents: true } } }],
  [{ '/realm_access/roles': ['agents'] }],
])('a pointer into claims such as %j finds no person', async (claims) => {
  const { placed, place } = await openMap({ claim: '/realm_access/roles', value: 'agents' });
  expect(placed(claims)).toBeNull();
  expect(placed({ realm_access: { roles: ['agents'] } })).toEqual(place);
});

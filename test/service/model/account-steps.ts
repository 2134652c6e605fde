import fc from 'fast-check';
import { PASSWORD } from '../../support/service.ts';
import { newSession } from '../../support/toy-model.ts';
import { bySession, expectStatus, number, type Step, sessionOf, step } from './step.ts';

export const login: fc.Arbitrary<Step> = fc.tuple(fc.nat({ max: 2 }), fc.boolean()).map(([index, wrong]) =>
  step(`login ${index}${wrong ? ' wrong' : ''}`, async (toy, { api }) => {
    const account = toy.accounts[index];
    const json = { email: account?.email, password: wrong ? 'wrong' : account?.password };
    const answer = await api.ask('POST', '/auth/login', { json });
    if (wrong || account?.disabled) return expectStatus(answer, 401, 'invalid_credentials');
    expectStatus(answer, 200);
    toy.sessions.push(newSession(toy, index, `${answer.body['access_token']}`));
  }),
);

export const logout: fc.Arbitrary<Step> = number.map((index) =>
  step(`logout ${index}`, async (toy, real) => {
    const session = sessionOf(toy, index);
    const done = await bySession(real, toy, session, ['POST', '/auth/logout']);
    if (done === undefined || session === undefined) return;
    expectStatus(done.answer, 204);
    session.loggedOut = true;
  }),
);

export const changePassword: fc.Arbitrary<Step> = fc.tuple(number, fc.boolean()).map(([index, wrong]) =>
  step(`password ${index}${wrong ? ' wrong' : ''}`, async (toy, real) => {
    const session = sessionOf(toy, index);
    const current = toy.accounts[session?.account ?? 0]?.password ?? '';
    const new_password = `${PASSWORD}-${toy.now}`;
    const json = { current_password: wrong ? 'wrong' : current, new_password };
    const done = await bySession(real, toy, session, ['POST', '/auth/password', { json }]);
    const account = done && toy.accounts[done.account];
    if (done === undefined || account === undefined) return;
    if (wrong) return expectStatus(done.answer, 401, 'invalid_credentials');
    expectStatus(done.answer, 204);
    account.password = new_password;
    account.tokenVersion += 1;
  }),
);

export const disable: fc.Arbitrary<Step> = fc.constant(
  step('disable the third', async (toy, real) => {
    const [, , account] = toy.accounts;
    if (account === undefined) return;
    await real.disable(account.email);
    account.disabled = true;
  }),
);

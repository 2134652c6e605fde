import fc from 'fast-check';
import { PASSWORD } from '../../support/service.ts';
import { newSession } from '../../support/toy-model.ts';
import { bySession, expectStatus, type Steps, sessionOf, step } from './step.ts';

export const login: Steps = (who) =>
  fc
    .tuple(
      who.map((index) => index % 3),
      fc.boolean(),
    )
    .map(([index, wrong]) =>
      step(`login ${index}${wrong ? ' wrong' : ''}`, ({ accounts: { [index]: known } }) => {
        const json = { email: known?.email, password: wrong ? 'wrong' : known?.password };
        return {
          request: ['POST', '/auth/login', { json }],
          evaluate(toy, answer) {
            const account = toy.accounts[index];
            if (account?.password !== json.password || account?.disabled)
              return expectStatus(answer, 401, 'invalid_credentials');
            expectStatus(answer, 200);
            toy.sessions.push(newSession(toy, index, `${answer.body['access_token']}`));
          },
        };
      }),
    );

export const logout: Steps = (who) =>
  who.map((index) =>
    step(`logout ${index}`, (toy) =>
      bySession(sessionOf(toy, index), ['POST', '/auth/logout'], (_, answer, session) => {
        expectStatus(answer, 204);
        session.loggedOut = true;
      }),
    ),
  );

export const changePassword: Steps = (who) =>
  fc.tuple(who, fc.boolean()).map(([index, wrong]) =>
    step(`password ${index}${wrong ? ' wrong' : ''}`, (planned) => {
      const session = sessionOf(planned, index);
      const current_password = wrong ? 'wrong' : planned.accounts[session?.account ?? 0]?.password;
      const new_password = `${PASSWORD}-${planned.now}`;
      const json = { current_password, new_password };
      return bySession(session, ['POST', '/auth/password', { json }], (toy, answer, { account: at }) => {
        const account = toy.accounts[at];
        if (account === undefined || account.password !== current_password)
          return expectStatus(answer, 401, 'invalid_credentials');
        expectStatus(answer, 204);
        account.password = new_password;
        account.tokenVersion += 1;
      });
    }),
  );

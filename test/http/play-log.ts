/** Plays the endpoints of logs. */

import type { Credentials } from '../../src/core.ts';
import { requestExamples } from '../../src/http/examples/examples.ts';
import type { Intent, PassportInput } from '../../src/index.ts';
import { passUntil } from '../core/evidence/log-steps.ts';
import { type Answer, type Api, type Ask, openApi, text } from '../support/api.ts';
import { openService, PUBLIC_URL, SECRET } from '../support/service.ts';

/** Plays them on a service with a log, which begins some seconds after the first change. */
export async function playLog(
  play: (
    method: string,
    path: string,
    ask: Ask,
    id: string | ((name: string) => string),
    at: Api,
  ) => Promise<Answer>,
  intent: Intent,
): Promise<void> {
  const opened = openService({ identity: { secret: SECRET, publicUrl: PUBLIC_URL }, evidence: {} });
  const api = openApi(opened);
  const { id: account_id } = await opened.service.accounts.create(
    requestExamples.RegisterRequest as Credentials,
  );
  const token = text(await play('POST', '/auth/login', {}, '', api), 'access_token');
  const permit = { audience: 'https://pay.example' };
  const actor = { account_id };
  await opened.service.passports.create(requestExamples.PassportRequest as PassportInput, actor);
  const { decision_id } = await opened.service.verify({ ...intent, permit }, actor);
  await opened.service.verifications.list({}, actor);
  await passUntil(opened, async () => {
    return (await opened.service.evidence.state(actor).catch(() => undefined))?.pending === 0;
  });
  await play('GET', '/log', { token }, '', api);
  await play('GET', '/log/entries', { token }, '', api);
  await play('GET', '/verifications/{decision_id}/receipt', { token }, decision_id, api);
  const { log_id, size } = await opened.service.evidence.state(actor);
  await play('GET', '/logs/{log_id}/checkpoint', {}, log_id, api);
  const tile = { log_id, level: '0', place: `000.p/${size}` };
  await play('GET', '/logs/{log_id}/tile/{level}/{place}', {}, (name) => tile[name as 'level'], api);
}

/** The four endpoints that were first, without what came later: their answers stay as they were, byte for byte but for what is drawn at random. */
import { expect, test } from 'vitest';
import { openApi } from '../support/api.ts';
import { openService, PASSWORD } from '../support/service.ts';

const EMAIL = 'ann@example.com';

/** The text of an answer without what is drawn at random. */
function withoutChance(text: string): string {
  // A token is found by its name: an id may contain the text with which a token begins.
  return text
    .replaceAll(/"access_token":"[^"]*"/g, '"access_token":"<token>"')
    .replaceAll(/"(key_|dec_|ais_live_)[0-9A-Za-z]+"/g, '"$1…"');
}

test('login, key, passport and verdict keep their answers', async () => {
  const opened = openService();
  await opened.service.accounts.create({ email: EMAIL, password: PASSWORD });
  const api = openApi(opened);
  const answers: string[] = [];
  const ask = async (path: string, json: object, credential: object = {}) => {
    const { status, headers, text, body } = await api.ask('POST', path, {
      json,
      headers: { 'x-request-id': 'r' },
      ...credential,
    });
    answers.push(`${path} ${status} ${JSON.stringify([...headers].sort())} ${withoutChance(text)}`);
    return body as Record<string, string>;
  };
  const { access_token: token } = await ask('/auth/login', { email: EMAIL, password: PASSWORD });
  const { key } = await ask('/keys', { name: 'till' }, { token });
  const { agent_id } = await ask(
    '/passports',
    {
      ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['payments.create'] },
      monetary_limit_per_txn: 100,
    },
    { token },
  );
  for (const amount of [100, 101])
    await ask('/verify', { agent_id, action: 'payments.create', parameters: { amount } }, { key });
  await ask('/verify', { agent_id, action: 'payments.refund' }, { key });
  await ask('/auth/login', { email: EMAIL, password: 'wrong-password-of-ann' });
  expect(answers.join('\n')).toMatchInlineSnapshot(`
    "/auth/login 200 [["cache-control","no-store"],["content-type","application/json"],["x-content-type-options","nosniff"],["x-request-id","r"]] {"access_token":"<token>","token_type":"bearer","expires_in":3600}
    /keys 201 [["cache-control","no-store"],["content-type","application/json"],["ratelimit","\\"write\\";r=1199;t=60"],["ratelimit-policy","\\"write\\";q=1200;w=60"],["x-content-type-options","nosniff"],["x-request-id","r"]] {"id":"key_…","name":"till","start":"ais_live_…","environment":"live","scopes":["verify","revoke"],"agent_ids":null,"created_at":"2026-11-20T12:00:00.000Z","expires_at":null,"plan":"starter","message":"Keep this key safe: it is shown this once and stored nowhere.","key":"ais_live_…"}
    /passports 201 [["cache-control","no-store"],["content-type","application/json"],["etag","\\"1\\""],["ratelimit","\\"write\\";r=1198;t=60"],["ratelimit-policy","\\"write\\";q=1200;w=60"],["x-content-type-options","nosniff"],["x-request-id","r"]] {"agent_id":"did:web:shop.example:agents:buyer","version":1,"created_at":"2026-11-20T12:00:00.000Z","updated_at":"2026-11-20T12:00:00.000Z","domain":"shop.example","agent_name":"buyer","allowed_actions":["payments.create"],"monetary_limit_per_txn":100,"status":"active","suspended_until":null,"suspended_by":null,"suspension_reason":null,"revoked_at":null,"revoked_by":null,"revocation_reason":null}
    /verify 200 [["cache-control","no-store"],["content-type","application/json"],["ratelimit","\\"verify\\";r=5999;t=60"],["ratelimit-policy","\\"verify\\";q=6000;w=60"],["x-content-type-options","nosniff"],["x-request-id","r"]] {"verdict":"ALLOW","reasons":[],"decision_id":"dec_…","agent_id":"did:web:shop.example:agents:buyer","action":"payments.create","target":null,"amount":100,"currency":null,"passport_version":1,"ancestor_versions":null,"environment":"live","key_…":"key_…","request_id":"r","trace_id":null,"dry_run":false,"budgets":[],"proof_kid":null,"subject":null,"approval_id":null,"hold_seconds":null,"verifier":null,"permit_audience":null,"evaluated_at":"2026-11-20T12:00:00.000Z"}
    /verify 200 [["cache-control","no-store"],["content-type","application/json"],["ratelimit","\\"verify\\";r=5998;t=60"],["ratelimit-policy","\\"verify\\";q=6000;w=60"],["x-content-type-options","nosniff"],["x-request-id","r"]] {"verdict":"DENY","reasons":[{"code":"amount_over_limit","message":"The amount is over the limit.","limit":"100","actual":"101"}],"decision_id":"dec_…","agent_id":"did:web:shop.example:agents:buyer","action":"payments.create","target":null,"amount":101,"currency":null,"passport_version":1,"ancestor_versions":null,"environment":"live","key_…":"key_…","request_id":"r","trace_id":null,"dry_run":false,"budgets":[],"proof_kid":null,"subject":null,"approval_id":null,"hold_seconds":null,"verifier":null,"permit_audience":null,"evaluated_at":"2026-11-20T12:00:00.000Z"}
    /verify 200 [["cache-control","no-store"],["content-type","application/json"],["ratelimit","\\"verify\\";r=5997;t=60"],["ratelimit-policy","\\"verify\\";q=6000;w=60"],["x-content-type-options","nosniff"],["x-request-id","r"]] {"verdict":"DENY","reasons":[{"code":"action_not_allowed","message":"The action is not allowed."}],"decision_id":"dec_…","agent_id":"did:web:shop.example:agents:buyer","action":"payments.refund","target":null,"amount":null,"currency":null,"passport_version":1,"ancestor_versions":null,"environment":"live","key_…":"key_…","request_id":"r","trace_id":null,"dry_run":false,"budgets":[],"proof_kid":null,"subject":null,"approval_id":null,"hold_seconds":null,"verifier":null,"permit_audience":null,"evaluated_at":"2026-11-20T12:00:00.000Z"}
    /auth/login 401 [["cache-control","no-store"],["content-type","application/problem+json"],["www-authenticate","Bearer realm=\\"agent-identity\\", ApiKey realm=\\"agent-identity\\""],["x-content-type-options","nosniff"],["x-request-id","r"]] {"type":"/reference#invalid_credentials","title":"The credentials are wrong","detail":"The e-mail or the password is wrong.","code":"invalid_credentials","request_id":"r","status":401}"
  `);
});

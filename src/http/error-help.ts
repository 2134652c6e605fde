/** The explanation of every error code, for the reference page and ERRORS.md. */
import { IdentityError, type IdentityErrorCode, type IdentityErrorDetails } from '../errors.ts';
import { PROBLEMS, toProblem } from './problem.ts';

interface Help {
  readonly when: string;
  /** Says what the caller can do next. */
  readonly action: string;
  readonly detail: string;
  readonly details?: IdentityErrorDetails;
}

/** The description of one error code. */
export interface ErrorEntry {
  readonly code: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly title: string;
  /** Says when the error happens. */
  readonly when: string;
  /** Says what the caller can do next. */
  readonly action: string;
  /** An HTTP answer with this code. */
  readonly example: object;
}

const REQUEST = {
  invalid_json: {
    when: 'The body is not strict JSON, has the same name twice in one object, or has a number with more digits than a 64-bit floating-point number (IEEE 754) can store.',
    action: 'Correct the JSON at the place that `detail` names. Send exact amounts as text: `"19.99"`.',
    detail: 'The body is not acceptable JSON: an object that has a name twice at line 3, column 3.',
  },
  invalid_request: {
    when: 'A field, a parameter or a header is missing, unknown or malformed.',
    action: 'Correct every field that `errors` names. The same request fails again until you change it.',
    detail: '/currency: This must be an ISO 4217 code such as EUR.',
    details: {
      errors: [
        { path: '/currency', code: 'malformed', message: 'This must be an ISO 4217 code such as EUR.' },
      ],
    },
  },
  payload_too_large: {
    when: 'The body is longer than the service reads.',
    action: 'Send less: fewer intents in a batch, or a smaller passport.',
    detail: 'The body must be at most 65536 bytes.',
  },
  headers_too_large: {
    when: 'The request has 1,000 headers or more, or its headers are too long.',
    action: 'Remove headers. Look for a proxy that adds them.',
    detail: 'The request has too many headers, or too long ones.',
  },
  unsupported_media_type: {
    when: 'The request has a body that is not declared as `application/json`.',
    action: 'Send the header `Content-Type: application/json`.',
    detail: 'The body must be application/json.',
  },
  not_found: {
    when: 'The path does not exist, or the object does not exist in your account. The service gives the same answer for an object of another account.',
    action: 'Check the path, the id and the account of the credential.',
    detail: 'There is no passport with this id that you can access.',
  },
  method_not_allowed: {
    when: 'The path exists, but not with this method.',
    action: 'Use a method that the header `Allow` names.',
    detail: 'This path takes GET, POST.',
  },
  not_implemented: {
    when: 'The request asks for a part of a standard that the service does not offer, such as the states of signed passports at an earlier time (`time` of `GET /status/{list_id}`).',
    action: 'Omit the parameter.',
    detail: 'Status lists of the past are not offered. Leave out time.',
  },
} satisfies Partial<Record<IdentityErrorCode, Help>>;

const ACCESS = {
  unauthenticated: {
    when: 'The API key or the access token is missing, expired, revoked or unknown.',
    action: 'Log in again, or use an active API key. `agent-identity key list` shows the state of each key.',
    detail: 'The API key is missing or not valid. Use an active key.',
  },
  invalid_credentials: {
    when: 'The e-mail or the password is wrong, or a sign-in with OpenID Connect failed.',
    action: 'Ask the person to sign in again. An owner can create a reset link for a member.',
    detail: 'The e-mail or the password is wrong.',
  },
  insufficient_scope: {
    when: 'The API key is valid, but lacks a scope that this endpoint needs.',
    action: 'Add the scope to the key with `PATCH /keys/{id}`, or use another key.',
    detail: 'This key lacks the scope revoke. Use a key that has it.',
  },
  insufficient_role: {
    when: 'The role of the member does not allow this call. The field `roles` lists the roles that allow it.',
    action: 'Ask a member with one of these roles, or ask an owner for the role.',
    detail: 'This needs the role admin or owner.',
    details: { roles: ['admin', 'owner'] },
  },
  cross_origin: {
    when: 'The service uses the login of your application, and a page of another origin sent a request that changes something.',
    action:
      'Add the origin of the page to `trustedOrigins` if you trust it. If a proxy replaces `Host`, add your own public origin.',
    detail: 'A page of another origin made this request. The application can allow it in trustedOrigins.',
  },
  second_person_required: {
    when: 'There are two cases. You change a passport, and another person must approve the change: `approval_id` names the approval. Or you decide an approval, and another person must do this: `because` names the reason.',
    action: 'Ask another member to approve. Then send the change again with the id in `Approval-Id`.',
    detail: 'Another person has to approve this change, because it allows more.',
    details: { approval_id: 'apr_…', expires_at: '2027-01-31T09:00:00.000Z' },
  },
  domain_unproven: {
    when: 'The service runs with `domainProof: required`, and the account has not verified the domain of the passport.',
    action:
      'Publish the `token` at one of the two places in the answer. Then call `POST /domains/{domain}/check`.',
    detail:
      'Prove the domain first: publish the TXT record _agent-identity.shop.example with agent-identity=….',
    details: {
      token: '…',
      dns: { name: '_agent-identity.shop.example', value: 'agent-identity=…' },
      https: { url: 'https://shop.example/.well-known/agent-identity', body: '…' },
    },
  },
  plan_limit_reached: {
    when: 'The account has as many API keys, passports, members, webhooks or domains that wait for verification as its plan or the service allows.',
    action:
      'Revoke or delete what you no longer need, or change the plan with `agent-identity account plan`.',
    detail: 'The plan allows 20 active keys. Revoke one first.',
  },
  invalid_token: {
    when: 'A signed passport, a permit or a receipt failed a check. `details.problem` of the error names the check. The verifiers in your own process throw this error; the service does not send it.',
    action: 'Refuse the request that brought the token. Ask the sender for a new token.',
    detail: 'The token is refused: it is expired.',
  },
  token_refused: {
    when: 'An agent gets no access token: its assertion, `resource` or `scope` is not valid, or the verdict is `DENY`. In your own process, the method throws this error. Over HTTP, the answer is an OAuth error such as `{ "error": "invalid_client" }`.',
    action: 'Read `details.error`, a code of OAuth, and the verdict with `details.decision_id`.',
    detail: 'The agent is not authenticated.',
    details: { error: 'invalid_client' },
  },
  tool_denied: {
    when: 'The verdict is `DENY`, so a guard did not run the callback. A guard from `createToolGuard` also throws this error if it gets no verdict; `service.guard` and `client.guard` then throw the original error. The service never sends `tool_denied`, so your application chooses the status.',
    action: 'Show `details.reasons`. Once `details.approval` is approved, call with its `approval_id`.',
    detail: 'DENY dec_…: The amount is over the limit.',
  },
} satisfies Partial<Record<IdentityErrorCode, Help>>;

const STATE = {
  already_exists: {
    when: 'A passport with this agent id was issued before, or a login with this e-mail exists.',
    action: 'Change the passport that exists, or choose another name. An agent id is never issued twice.',
    detail: 'This agent_id was issued before. Choose another agent_name.',
  },
  domain_claimed: {
    when: 'Another account owns the domain: it issued the first passport, or has verified the domain.',
    action: 'Verify that the domain is yours: `POST /domains`. A verified domain moves to your account.',
    detail: 'Another account issues passports for this domain. Verify that it is yours.',
  },
  conflict: {
    when: 'The state of the object forbids the change. A passport or key is revoked, an approval is used, a receipt is not ready, or the first request with this `Idempotency-Key` still runs.',
    action:
      'Read the object again and decide. If the answer has `until` (a time) or `Retry-After` (seconds), repeat the request after it.',
    detail: 'The passport did:web:a.example:agents:shopper is revoked, which is permanent. Create another.',
  },
  spend_lapsed: {
    when: 'A commit or a release came after the hold had expired. The service returned the whole amount to the budget.',
    action: 'Ask for a new verdict. Next time, choose a longer `hold_seconds`.',
    detail: 'The hold has expired, and its whole amount is back in the budget. Verify again.',
  },
  version_mismatch: {
    when: 'The passport is no longer at the version in `If-Match`: somebody changed it in the meantime.',
    action: 'Read the passport again, apply your change to the new version, and send it with the new `ETag`.',
    detail: 'The passport is at version 4. Read it again.',
  },
  would_widen: {
    when: 'A change with `If-Narrower: true` would allow an intent that is denied now. The field `change` compares the present passport with the changed passport.',
    action: 'Narrow the change. If you want to allow more, send it without `If-Narrower`.',
    detail: 'The change would allow intents that are denied now: amount_over_limit.',
  },
  idempotency_mismatch: {
    when: 'Within 24 hours, a different request with this `Idempotency-Key` created, changed or spent something.',
    action: 'Use a new key for each new request. Use the same key only to repeat the same request.',
    detail: 'Another request was made under this idempotency key. Use another key.',
  },
} satisfies Partial<Record<IdentityErrorCode, Help>>;

const SERVER = {
  rate_limited: {
    when: 'The account has sent too many requests, or one IP address or e-mail address had too many failed logins. The header `RateLimit-Policy` shows how many requests per minute the plan of the account allows.',
    action: 'Wait for the seconds in `Retry-After`, then repeat the request.',
    detail: 'There were too many attempts: try again later.',
    details: { retryAfterSeconds: 12 },
  },
  overloaded: {
    when: 'Too many calls wait on this node, such as for the storage or the journal, or the node is starting or stopping.',
    action:
      'Wait for the seconds in `Retry-After`, then repeat the request. Until you get a verdict, the agent must not act.',
    detail: 'Too many calls wait for the storage. Try again.',
    details: { retryAfterSeconds: 1 },
  },
  storage_unavailable: {
    when: 'The storage did not answer before the deadline or refused the request, or the clock of the node is wrong.',
    action:
      'Treat it as a denial, and repeat the request later with the same `Idempotency-Key`. Operators run `agent-identity doctor`.',
    detail: 'The storage did not answer.',
  },
  service_unreachable: {
    when: 'The client got no complete answer from the service, or the service got no answer from the OpenID Connect issuer with which a person signs in.',
    action:
      'Treat it as a denial, and repeat the request with the same `Idempotency-Key`. Check the address and the network.',
    detail: 'No answer from https://identity.shop.example/api: the connection was refused (ECONNREFUSED).',
  },
  internal: {
    when: 'The service failed in a way that it does not expect.',
    action: 'Look for the `request_id` in the service log. Report the line to the project.',
    detail: 'Something went wrong here; the request id leads to the log.',
  },
  invalid_configuration: {
    when: 'An option of `createIdentityService`, a guard, a client, a storage or a command is missing, unknown or wrong. A call in your own process throws this error; over HTTP, the client sees `internal` instead.',
    action:
      'Correct the option that the message names. `agent-identity doctor` checks the options of a service.',
    detail: 'createIdentityService: there is no option "storag". Did you mean storage?',
  },
} satisfies Partial<Record<IdentityErrorCode, Help>>;

const HELP: Readonly<Record<IdentityErrorCode, Help>> = { ...REQUEST, ...ACCESS, ...STATE, ...SERVER };

/** Returns the descriptions of all error codes, in the order of their status. */
export function errorReference(): readonly ErrorEntry[] {
  const codes = Object.keys(PROBLEMS) as IdentityErrorCode[];
  return codes.map(entryOf).sort((entry, otherEntry) => entry.status - otherEntry.status);
}

function entryOf(code: IdentityErrorCode): ErrorEntry {
  const { when, action, detail, details = {} } = HELP[code];
  const example = toProblem(new IdentityError(code, detail, { details }), 'req_…');
  const { status, title } = PROBLEMS[code];
  return { code, status, title, when, action, example };
}

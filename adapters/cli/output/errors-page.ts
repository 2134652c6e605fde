/** Generates the error codes as Markdown, from the same table as the reference page of the dashboard. */
import { type ErrorEntry, errorReference } from '../../../src/http/binding.ts';

const HEAD = `<!-- npm run docs:cli makes this page from src/http/error-help.ts -->

# Errors

You need this page when a call fails. After it you know whether to correct the request, to repeat it, or to ask somebody.

A failed call is an error with a \`code\`. Over HTTP the service answers with a problem document (RFC 9457). Methods of [a client](../client/README.md), and of the service in your own process, throw an \`IdentityError\`, which you import from \`agent-identity-service\`. It has the same \`code\`, the sentence of \`detail\` as \`message\`, and the other fields in \`details\`. It has no status.

\`\`\`js
import { createIdentityService, IdentityError } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';

const service = createIdentityService({ storage: memoryStorage() });
try {
  await service.verify({ agent_id: 'did:web:example.com:agents:shopper' });
} catch (error) {
  if (!(error instanceof IdentityError)) throw error;
  const { code, message, details } = error;
  if (code === 'storage_unavailable' || code === 'overloaded') console.log('repeat the request later');
  else if (code === 'rate_limited') console.log('repeat it after', details.retryAfterSeconds, 'seconds');
  else console.log(code, message, details.errors?.map(({ path }) => path));
}
await service.close();
\`\`\`

\`\`\`text
invalid_request /action: This field is required: an action such as payments.create. [ '/action' ]
\`\`\`

A \`DENY\` is a verdict, never an error: [the rules and their reasons](../verdict/README.md#the-rules).

Decide by \`code\`, and show \`detail\`. An error is never an \`ALLOW\`: if a call fails, the agent must not act. Each section below ends with an example, in the form of a problem document.`;

/** The next steps of a caller, each with the statuses and the single codes for which it is right. */
const STEPS: readonly (readonly [step: string, statuses: readonly number[], codes?: readonly string[]])[] = [
  [
    'Correct the request or the option. A repeated request fails again.',
    [400, 404, 405, 413, 415, 422, 431, 501],
    ['invalid_configuration'],
  ],
  ['Use another credential, or ask a person who has the right.', [401, 403]],
  ['Do not act: the verdict is no `ALLOW`. Read its reasons in `details.reasons`.', [], ['tool_denied']],
  [
    'If `details` has `until` or `retryAfterSeconds`, repeat the request after it. Otherwise read the object again, then decide.',
    [409, 412],
  ],
  [
    'Wait for the seconds in `Retry-After` (`details.retryAfterSeconds`), or for one second if the error has none. Then repeat the request with the same `Idempotency-Key`.',
    [429, 503],
  ],
  ['Look for the `request_id` in the service log.', [500]],
];

const TAIL = `The \`type\` of a problem, such as \`/reference#not_found\`, is a path on the host of the service. It opens the section of the code in the API reference. If your application serves the reference at another path, only the part after \`#\` is of use. If [\`requirePermit\`](../tokens/proof/README.md#demand-a-permit) in your application refuses a request, the \`type\` is a URN with the code.`;

export function errorsPage(): string {
  const entries = errorReference();
  const rows = entries.map(({ code, status, title }) => `| [\`${code}\`](#${code}) | ${status} | ${title} |`);
  const table = ['| Code | Status | Title |', '| --- | --- | --- |', ...rows].join('\n');
  return `${[HEAD, stepsOf(entries), TAIL, '## All codes', table, ...entries.map(sectionOf)].join('\n\n')}\n`;
}

/** Returns the table of the next steps. Each code is in one row. */
function stepsOf(entries: readonly ErrorEntry[]): string {
  const single = STEPS.flatMap(([, , codes = []]) => codes);
  const rows = STEPS.map(([step, statuses, codes = []]) => {
    const rest = entries.filter(({ code, status }) => statuses.includes(status) && !single.includes(code));
    const all = [...rest.map(({ code }) => code), ...codes].map((code) => `\`${code}\``);
    return `| ${all.join(', ')} | ${step} |`;
  });
  return ['| Code | Your next step |', '| --- | --- |', ...rows].join('\n');
}

function sectionOf({ code, status, when, action, example }: ErrorEntry): string {
  // Indented instead of fenced: a test runs the fenced code of a page.
  const shownJson = JSON.stringify(example, null, 2).replaceAll(/^/gm, '    ');
  return `## ${code}\n\nStatus ${status}. ${when}\n\n${action}\n\n${shownJson}`;
}

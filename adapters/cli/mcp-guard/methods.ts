/** The methods that a client may send, in the versions 2024-11-05 to 2026-07-28 of the protocol. */

/** The requests and notifications that pass. `tools/call` is evaluated. */
export const METHODS: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'server/discover', 'logging/setLevel', 'completion/complete'],
  ...['tools/list', 'prompts/list', 'prompts/get', 'resources/list', 'resources/templates/list'],
  ...['resources/read', 'resources/subscribe', 'resources/unsubscribe', 'subscriptions/listen'],
  ...['tasks/get', 'tasks/result', 'tasks/list', 'tasks/update', 'tasks/cancel'],
  ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress'],
  ...['notifications/roots/list_changed', 'notifications/tasks/status', 'notifications/message'],
  'notifications/elicitation/complete',
]);

/** The requests that `--methods` judges besides `tools/call`. */
export const JUDGED: ReadonlySet<string> = new Set(['resources/read', 'prompts/get']);

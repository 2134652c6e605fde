import { Option } from 'commander';
import type { EventQuery, IdentityEvent } from '../../../src/client.ts';
import { ENVIRONMENTS } from '../../../src/http/index.ts';
import { accountOptions, jsonOption, withBackend } from '../backend/backend.ts';
import type { Backend } from '../backend/verbs.ts';
import { print, printJson } from '../output/terminal.ts';
import { firstSignal } from '../serve/signals.ts';
import { inputOf } from './answering.ts';
import type { FieldOptions, VerbGroup } from './verb.ts';

interface TailOptions {
  readonly limit?: string;
  readonly json?: boolean;
}

const FIELDS: FieldOptions<EventQuery> = {
  types: new Option('--types <type...>', 'only these, such as passport.revoked or verdict.* (default: all)'),
  agent_id: new Option('--agent <agent_id>', 'only events of this agent'),
  environment: new Option('--environment <name>', 'only events of this environment (default: all)').choices(
    ENVIRONMENTS,
  ),
  after: new Option('--after <id>', 'begin after the event of this id (default: now)'),
};

export const eventVerbs: VerbGroup = {
  name: 'events',
  summary: 'what happens in an account',
  verbs: [
    {
      name: 'tail',
      summary: 'print events as they happen, until SIGINT or SIGTERM',
      options: [
        ...Object.values(FIELDS),
        new Option('--limit <number>', 'end after this number of events'),
        ...accountOptions(),
        jsonOption(),
      ],
      notes: 'After a break of the connection it continues after the last event.',
      examples: [
        'agent-identity events tail --types passport.revoked passport.suspended',
        'agent-identity events tail --types verdict.denied --json --url http://localhost:3000/api | jq .data.reasons',
      ],
      run: (_args, options: TailOptions, command) =>
        withBackend(command, (backend) => tail(backend, options)),
    },
  ],
};

async function tail(backend: Backend, options: TailOptions): Promise<void> {
  const { json = false } = options;
  const stop = new AbortController();
  void firstSignal().then(() => stop.abort());
  const query = inputOf({ ...FIELDS }, { ...options });
  let left = Number(options.limit ?? Number.POSITIVE_INFINITY);
  try {
    for await (const event of backend.events(query, stop)) {
      if (json) printJson(event);
      else print(lineOf(event));
      left -= 1;
      if (left <= 0) return;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

/** Returns an event as a line: its time, its type, its subject and more. */
function lineOf({ timestamp, type, data }: IdentityEvent): string {
  const { agent_id, id, domain, account_id, since, action, changed_by }: Partial<Record<string, unknown>> = {
    ...data,
  };
  const about = agent_id ?? id ?? domain ?? account_id ?? since;
  const more = action ?? (changed_by === undefined ? '' : `by ${changed_by}`);
  return [timestamp, type, about, more].join('  ').trimEnd();
}

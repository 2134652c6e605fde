import { Option } from 'commander';
import type { EventQuery, IdentityEvent } from '../../../src/client.ts';
import { ENVIRONMENTS } from '../../../src/http/index.ts';
import { ocsfLine } from '../../../src/ocsf/index.ts';
import { accountOptions, jsonOption, withBackend } from '../backend/backend.ts';
import type { Backend } from '../backend/methods.ts';
import { openCursor } from '../export/cursor-file.ts';
import { visible, writeOutput } from '../output/terminal.ts';
import { firstSignal } from '../serve/signals.ts';
import { inputOf } from './answering.ts';
import type { CommandGroup, FieldOptions } from './command.ts';

interface TailOptions {
  readonly limit?: string;
  readonly json?: boolean;
  readonly format?: 'ocsf';
  readonly cursorFile?: string;
}

const FIELDS: FieldOptions<EventQuery> = {
  types: new Option(
    '--types <type...>',
    'event types to print, such as passport.revoked or verdict.* (default: all)',
  ),
  agent_id: new Option('--agent <agent_id>', 'print only events of this agent'),
  environment: new Option(
    '--environment <name>',
    'print only events that API keys of this environment caused (default: all)',
  ).choices(ENVIRONMENTS),
  after: new Option('--after <id>', 'id of the event after which the command begins (default: now)'),
};

export const eventCommands: CommandGroup = {
  name: 'events',
  summary: 'manage the events of an account',
  commands: [
    {
      name: 'tail',
      summary: 'print events as they happen, until SIGINT or SIGTERM',
      options: [
        ...Object.values(FIELDS),
        new Option('--limit <number>', 'number of events after which the command ends'),
        new Option('--format <name>', 'print each event in the event format OCSF 1.8.0, as one line of JSON')
          .choices(['ocsf'])
          .conflicts('json'),
        new Option(
          '--cursor-file <file>',
          'file in which the command stores the id of the last printed event, so that the next run continues after it',
        ).conflicts('after'),
        ...accountOptions(),
        jsonOption(),
      ],
      notes: `After a lost connection, the command continues after the last printed event. The command writes the file of
--cursor-file at most once per second. After a crash, it can therefore print the events of the last second again. The
service stores events for 7 days.`,
      examples: [
        'agent-identity events tail --types passport.revoked passport.suspended',
        'agent-identity events tail --types verdict.denied --json --url http://localhost:3000/api | jq .data.reasons',
        'agent-identity events tail --format ocsf --cursor-file siem.cursor --url http://localhost:3000/api',
      ],
      run: (_args, options: TailOptions, command) =>
        withBackend(command, (backend) => tail(backend, options)),
    },
  ],
};

async function tail(backend: Backend, options: TailOptions): Promise<void> {
  const stop = new AbortController();
  void firstSignal().then(() => stop.abort());
  const cursor = options.cursorFile === undefined ? undefined : await openCursor(options.cursorFile);
  const position = cursor?.after;
  const query: EventQuery = {
    ...inputOf({ ...FIELDS }, { ...options }),
    ...(position !== undefined && { after: position }),
  };
  let leftCount = Number(options.limit ?? Number.POSITIVE_INFINITY);
  try {
    for await (const event of backend.events(query, stop)) {
      // A line that its reader has not taken comes again.
      if (!(await writeOutput(`${printed(event, options)}\n`))) return;
      await cursor?.passed(event.id);
      leftCount -= 1;
      if (leftCount <= 0) return;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    await cursor?.close();
  }
}

function printed(event: IdentityEvent, { json = false, format }: TailOptions): string {
  if (format === 'ocsf') return ocsfLine(event);
  return visible(json ? JSON.stringify(event) : lineOf(event));
}

function lineOf({ timestamp, type, data }: IdentityEvent): string {
  const { agent_id, id, domain, account_id, since, action, changed_by }: Partial<Record<string, unknown>> = {
    ...data,
  };
  const subject = agent_id ?? id ?? domain ?? account_id ?? since;
  const detail = action ?? (changed_by === undefined ? '' : `by ${changed_by}`);
  return [timestamp, type, subject, detail].join('  ').trimEnd();
}

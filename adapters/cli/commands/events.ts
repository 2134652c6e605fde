import { type Command, Option } from 'commander';
import { ENVIRONMENTS } from '../../../src/http/index.ts';
import type { Environment } from '../../../src/index.ts';
import type { IdentityEvent } from '../../../src/types.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { Backend } from '../backend/verbs.ts';
import { print, printJson } from '../output/terminal.ts';
import { firstSignal } from '../serve/signals.ts';

interface TailOptions {
  readonly types?: readonly string[];
  readonly agent?: string;
  readonly environment?: Environment;
  readonly after?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** Adds `events tail`: what happens, as it happens. */
export function addEventsCommands(program: Command): void {
  const events = program.command('events').description('what happens in an account');
  const verb = events
    .command('tail')
    .description('print events as they happen, until SIGINT or SIGTERM (exit code 0)')
    .option('--types <type...>', 'only these, such as passport.revoked or verdict.* (default: all)')
    .option('--agent <agent_id>', 'only events of this agent')
    .addOption(
      new Option('--environment <name>', 'only events of this environment (default: all)').choices(
        ENVIRONMENTS,
      ),
    )
    .option('--after <id>', 'begin after the event of this id (default: now)')
    .option('--limit <number>', 'end after this number of events');
  addBackendOptions(verb, 'manage')
    .addHelpText('after', AFTER)
    .action((options: TailOptions, command: Command) =>
      withBackend(command, 'manage', (backend) => tail(backend, options)),
    );
}

async function tail(backend: Backend, options: TailOptions): Promise<void> {
  const { types, agent, environment, after, json = false } = options;
  const stop = new AbortController();
  void firstSignal().then(() => stop.abort());
  const query = {
    ...(types && { types }),
    ...(agent !== undefined && { agent_id: agent }),
    ...(environment && { environment }),
    ...(after !== undefined && { after }),
  };
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

/** When, what, and about whom. */
function lineOf({ timestamp, type, data }: IdentityEvent): string {
  const { agent_id, id, domain, account_id, since, action, changed_by }: Partial<Record<string, unknown>> = {
    ...data,
  };
  const about = agent_id ?? id ?? domain ?? account_id ?? since;
  const more = action ?? (changed_by === undefined ? '' : `by ${changed_by}`);
  return [timestamp, type, about, more].join('  ').trimEnd();
}

const AFTER = `
After a break of the connection it goes on after the last event.

Examples:
  $ agent-identity events tail --types passport.revoked passport.suspended
  $ agent-identity events tail --types verdict.denied --json --url http://localhost:3000/api | jq .data.reasons`;

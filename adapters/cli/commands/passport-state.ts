import type { Command } from 'commander';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { Backend, BackendOptions } from '../backend/verbs.ts';
import { print, printJson, visible } from '../output/terminal.ts';

interface StateOptions extends BackendOptions {
  readonly reason?: string;
  readonly until?: string;
}

type Input = { readonly agent_id: string; readonly reason?: string; readonly until?: string };
type Change = (backend: Backend, input: Input) => Promise<{ readonly status: string }>;

/** Adds `revoke|suspend|reinstate` to `passport`. */
export function addStateCommands(passport: Command): void {
  const revoke = passport
    .command('revoke')
    .description('revoke a passport permanently')
    .option('--reason <text>', 'why, up to 500 characters');
  addStateCommand(revoke, 'passport revoke <agent_id> --reason "left the company"', (backend, input) =>
    backend.revoke(input),
  );

  const suspend = passport
    .command('suspend')
    .description('suspend a passport until it is reinstated, or until an instant')
    .option('--reason <text>', 'why, up to 500 characters')
    .option('--until <instant>', 'RFC 3339 instant in the future at which the suspension ends');
  addStateCommand(suspend, 'passport suspend <agent_id> --until 2030-01-01T00:00:00Z', (backend, input) =>
    backend.suspend(input),
  );

  const reinstate = passport.command('reinstate').description('end a suspension');
  addStateCommand(reinstate, 'passport reinstate <agent_id>', (backend, input) => backend.reinstate(input));
}

function addStateCommand(verb: Command, example: string, change: Change): void {
  verb.argument('<agent_id>', 'did:web:<domain>:agents:<agent_name>');
  addBackendOptions(verb, 'manage')
    .addHelpText(
      'after',
      `\nExample:\n  $ agent-identity ${example.replace('<agent_id>', 'did:web:example.com:agents:shopper')}`,
    )
    .action(async (agent_id: string, options: StateOptions, command: Command) => {
      const { reason, until } = options;
      const input = { agent_id, ...(reason !== undefined && { reason }), ...(until && { until }) };
      const changed = await withBackend(command, 'manage', (backend) => change(backend, input));
      if (options.json) printJson(changed);
      else print(`${visible(agent_id)} is ${changed.status}.`);
    });
}

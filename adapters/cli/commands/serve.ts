import type { Command } from 'commander';
import { serve } from '../serve/serve.ts';
import { readSettings, type ServeOptions } from '../serve/settings.ts';
import { addServeOptions } from './serve-options.ts';

/** Adds `serve`: the service over HTTP. */
export function addServeCommand(program: Command, version: string): void {
  const command = program.command('serve').description('serve the API on /api and the dashboard on /');
  addServeOptions(command)
    .addHelpText('after', AFTER)
    .action(async (options: ServeOptions) => serve(await readSettings(options, version)));
}

const AFTER = `
On SIGTERM and SIGINT it finishes running requests, stores the verdict records and exits with 0.

Examples:
  $ agent-identity serve
  $ agent-identity serve --storage sqlite:/var/lib/agent-identity/agents.db --port 8080 --log json
  $ AGENT_IDENTITY_PASSWORD="$(openssl rand -base64 18)" agent-identity serve --email ada@example.com`;

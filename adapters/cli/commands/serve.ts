import { serve } from '../serve/serve.ts';
import { readSettings, type ServeOptions } from '../serve/settings.ts';
import type { CliCommand } from './command.ts';
import { SERVE_OPTIONS } from './serve-options.ts';

export function serveCommand(version: string): CliCommand {
  return {
    name: 'serve',
    summary: 'serve the API on /api and the dashboard on /',
    options: SERVE_OPTIONS,
    notes:
      'On SIGTERM, SIGINT and SIGHUP, the server finishes running requests, stores the verdict records and exits with 0 within ten seconds.',
    examples: [
      'agent-identity serve',
      'agent-identity serve --storage sqlite:/var/lib/agent-identity/agents.db --port 8080 --log json',
      'AGENT_IDENTITY_PASSWORD="$(openssl rand -base64 18)" agent-identity serve --email ada@example.com',
    ],
    run: async (_args, options: ServeOptions) => serve(await readSettings(options, version)),
  };
}

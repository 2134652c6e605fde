import { createAdminClient } from '../../../src/client.ts';
import { isManagementKey } from '../../../src/http/index.ts';
import { IdentityError, type IdentityErrorCode } from '../../../src/index.ts';
import { type Assistant, loadSdk, openAssistant, serveAssistant } from '../../mcp-server/index.ts';
import { urlOption } from '../backend/backend.ts';
import { readBaseUrl } from '../input/base-url.ts';
import { readCredential } from '../input/variables.ts';
import { usageError } from '../output/error.ts';
import type { CliCommand } from './command.ts';

interface McpOptions {
  readonly url: string;
}

export function mcpCommand(version: string): CliCommand {
  return {
    name: 'mcp',
    summary: 'let an AI assistant read passports and propose changes',
    options: [urlOption().makeOptionMandatory()],
    notes: NOTES,
    examples: ['agent-identity mcp --url https://id.example.com/api'],
    async run(_args: object, { url }: McpOptions) {
      const baseUrl = readBaseUrl(url);
      const apiKey = readCredential('AGENT_IDENTITY_API_KEY');
      if (!isManagementKey(apiKey)) {
        throw usageError('Set AGENT_IDENTITY_API_KEY to a management key: it begins with ais_manage_.');
      }
      const sdk = await loadSdk().catch((cause: unknown) => {
        throw usageError('mcp needs a package: npm install @modelcontextprotocol/server@2', cause);
      });
      const assistant = await openWith(baseUrl, String(apiKey));
      await serveAssistant(sdk, assistant, version);
      // A request to the service may still run: nothing waits for its answer.
      process.exit(0);
    },
  };
}

const NOTES = `The command reads MCP on stdin and writes MCP on stdout. Its own messages are on stderr. The scopes of the management
key in AGENT_IDENTITY_API_KEY decide which tools the command offers. If a change allows the agent more than before, it
waits until a person approves the change. The command has no --storage option, because with direct storage access such
a change would need no approval.

Exit codes:
  0  the client has closed stdin
  1  the service is out of reach
  2  wrong usage, a key that is not valid, or a key with passports:write, keys:write, webhooks:write or reinstate`;

/** The errors that another key could fix. */
const WRONG_KEY: readonly IdentityErrorCode[] = ['unauthenticated', 'insufficient_scope'];

async function openWith(baseUrl: string, apiKey: string): Promise<Assistant> {
  try {
    return await openAssistant(createAdminClient({ baseUrl, apiKey }));
  } catch (error) {
    if (error instanceof IdentityError && WRONG_KEY.includes(error.code))
      throw usageError(error.message, error);
    throw error;
  }
}

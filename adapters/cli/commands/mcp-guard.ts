import { Argument, Option } from 'commander';
import {
  createToolGuard,
  type Reason,
  type ToolGuardOptions,
  type ToolRule,
} from '../../../src/guard/index.ts';
import { readJsonFile } from '../input/text-file.ts';
import { GUARDED_METHODS } from '../mcp-guard/gate.ts';
import { runProxy } from '../mcp-guard/run-proxy.ts';
import { watchToolLists } from '../mcp-guard/tool-list.ts';
import { type OpenVerifier, openVerifier } from '../mcp-guard/verifier.ts';
import { printError } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';

interface McpGuardOptions {
  readonly agent: string;
  readonly subject?: string;
  readonly session?: string;
  readonly approvalUrl?: string;
  readonly url?: string;
  readonly storage?: string;
  readonly agentKey?: string;
  readonly tools?: string;
  readonly prefix: string;
  readonly unjudged: readonly string[];
  readonly explain: NonNullable<ToolGuardOptions['explain']>;
  readonly timeoutMs: number;
  readonly mode: NonNullable<ToolGuardOptions['mode']>;
  readonly denyAs: 'result' | 'error';
  readonly methods?: boolean;
  readonly allowMethod: readonly string[];
  readonly hideDenied?: boolean;
  readonly partial?: boolean;
  readonly lazy?: boolean;
}

export const mcpGuardCommand: CliCommand = {
  name: 'mcp-guard',
  summary: 'run an MCP server, and evaluate each tool call first',
  arguments: {
    command: 'command that starts the MCP server; write -- before this command',
    args: new Argument('[args...]', 'arguments of the MCP server'),
  },
  options: [
    new Option(
      '--agent <agent_id>',
      'id of the agent that makes the calls, in the form did:web:<domain>:agents:<agent_name>',
    ).makeOptionMandatory(),
    new Option('--url <base>', 'URL of the service; AGENT_IDENTITY_API_KEY holds the API key'),
    new Option(
      '--storage <url>',
      'URL of a storage to use instead of --url, in the form sqlite:<file>, postgres://<host> or redis://<host>',
    ),
    new Option('--subject <text>', 'your opaque id of the user or system that the agent acts for'),
    new Option(
      '--session <text>',
      'your id of this run of the agent; a rule of order looks at earlier actions of the same run',
    ),
    new Option(
      '--approval-url <address>',
      'URL of your page for approvals; the command appends the id of the approval',
    ),
    new Option('--agent-key <file>', 'file with the private agent key that signs each intent; needs --url'),
    new Option(
      '--tools <file>',
      'JSON file with tool mappings; a tool mapping turns the calls of one tool into intents',
    ),
    new Option(
      '--partial',
      'accept tool mappings for tools of other servers, so that several servers can share a file',
    ),
    new Option(
      '--prefix <text>',
      'text that each action has before the tool name, so that a passport can name the server',
    ).default(''),
    names('--unjudged <names>', 'names of tools that run without a verdict, separated by commas'),
    choice(
      '--explain <how>',
      'detail of a denial for the model; `full` adds limits and amounts to the message',
      ['message', 'code', 'full'],
    ),
    new Option('--timeout-ms <ms>', 'milliseconds to wait for a verdict before the call is denied')
      .argParser(Number)
      .default(2_000),
    choice(
      '--mode <mode>',
      'with `enforce`, stop denied calls; with `observe`, make dry runs and stop no call',
      ['enforce', 'observe'],
    ),
    choice('--deny-as <what>', 'kind of response that the client gets for a DENY', ['result', 'error']),
    new Option(
      '--hide-denied',
      'remove tools that are always denied from the response to tools/list; without a verdict, tools/list fails',
    ),
    new Option(
      '--methods',
      'evaluate the MCP methods resources/read and prompts/get, which otherwise pass without a verdict',
    ),
    names(
      '--allow-method <names>',
      'names of other MCP methods that pass without a verdict, separated by commas',
    ),
    new Option(
      '--lazy',
      'start even if the service is out of reach, and deny every call until the service answers',
    ),
  ],
  notes: `The command reads MCP on stdin and writes MCP on stdout. Its own messages are on stderr. The command starts the server
without the variables AGENT_IDENTITY_*, so the server cannot read the API key. A tool mapping in the file of --tools
says which arguments of a call have the amount and the currency. If a value in a tool mapping begins with /, it is a
JSON Pointer into the arguments.

For a tool that creates payment links, the file of --tools can be:
  { "create_payment_link": { "amount": "/amount", "decimals": "currency", "currency": "/currency" } }

The command denies a call that needs an approval, and returns an approval_id. After a person approves the call with
\`agent-identity approval approve\`, the same call with _meta["agent-identity/approval_id"] runs once. With
--approval-url, the command remembers the approval of each call, so the client repeats the call without the
approval_id. If the client supports URL elicitation of MCP, it shows the page of --approval-url to a person.

For Claude Desktop and Cursor (in VS Code, write "servers" instead of "mcpServers"):
  {
    "mcpServers": {
      "github": {
        "command": "npx",
        "args": ["-y", "agent-identity-service", "mcp-guard", "--agent", "did:web:example.com:agents:shopper",
                 "--url", "https://id.example.com/api", "--prefix", "github:",
                 "--", "npx", "-y", "@modelcontextprotocol/server-github"],
        "env": { "AGENT_IDENTITY_API_KEY": "…" }
      }
    }
  }

The exit code is the exit code of the server, or 128 plus the number of the signal that ended the server.

Other exit codes:
  1    the service does not answer at the start, and --lazy is not set
  2    wrong usage, or a tool mapping for a tool that the server does not list
  127  the command that starts the server does not exist`,
  examples: [
    `agent-identity mcp-guard --agent did:web:example.com:agents:shopper --url https://id.example.com/api \\
      --tools rules.json --prefix github: -- npx -y @modelcontextprotocol/server-github`,
  ],
  async run({ command, args }: ServerCommand, options: McpGuardOptions) {
    const verifier = await openVerifier(options);
    let code: number;
    try {
      code = await runBehind(verifier, command, args, options);
    } finally {
      await verifier.close();
    }
    // stdin may stay open: nothing else would end the process.
    process.exit(code);
  },
};

type ServerCommand = { readonly command: string; readonly args: readonly string[] };

function choice(flags: string, text: string, values: readonly string[]): Option {
  return new Option(flags, text).choices(values).default(values[0]);
}

function names(flags: string, text: string): Option {
  return new Option(flags, text).argParser(listOf).default([]);
}

async function runBehind(
  verifier: OpenVerifier,
  command: string,
  args: readonly string[],
  options: McpGuardOptions,
): Promise<number> {
  const { agent: agentId, subject, session, prefix, unjudged, explain, timeoutMs, mode, denyAs } = options;
  const tools = (options.tools === undefined ? {} : await readJsonFile(options.tools)) as Record<
    string,
    ToolRule
  >;
  const guard = createToolGuard({
    verifier,
    agentId,
    tools,
    prefix,
    unjudged,
    explain,
    timeoutMs,
    mode,
    ...(subject !== undefined && { subject }),
    ...(session !== undefined && { session }),
    ...(options.approvalUrl !== undefined && { approvals: { url: options.approvalUrl } }),
  });
  const { verifyBatch } = verifier;
  const batchPromise = verifyBatch({
    intents: [{ agent_id: agentId, action: `${prefix}tools/list`, dry_run: true }],
  }).then(([record]) => warnOf(agentId, record?.reasons ?? []));
  if (options.lazy) batchPromise.catch(() => undefined);
  else await batchPromise;
  return runProxy({
    command,
    args,
    guard,
    denyAs,
    isHiding: options.hideDenied === true,
    allowedMethods: options.allowMethod,
    isGuardingMethods: options.methods === true,
    lists: watchToolLists(guard, {
      others: options.methods ? GUARDED_METHODS : [],
      isPartial: options.partial === true,
      onMissing: (names) =>
        printError(
          `agent-identity: This server has no tool for the rules ${names.join(', ')}. Correct or remove them.`,
        ),
      isHiding: options.hideDenied === true,
    }),
  });
}

/**
 * Warns if all calls are denied because of the agent itself, for example because the name in `--agent` is
 * misspelt. Nothing else would show such a mistake.
 */
function warnOf(agentId: string, reasons: readonly Reason[]): void {
  const reason = reasons.find(({ code }) => code.startsWith('agent_'));
  if (reason === undefined) return;
  const { code, message } = reason;
  const hint = code === 'agent_not_found' ? ' Check --agent, and whether the API key may see it.' : '';
  printError(`agent-identity: No call of ${agentId} is allowed: ${message} (${code})${hint}`);
}

function listOf(text: string): readonly string[] {
  return text.split(',').filter((name) => name !== '');
}

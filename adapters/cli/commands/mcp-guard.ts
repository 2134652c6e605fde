import { Argument, Option } from 'commander';
import {
  createToolGuard,
  type Reason,
  type ToolGuardOptions,
  type ToolRule,
} from '../../../src/guard/index.ts';
import { readJsonFile } from '../input/text-file.ts';
import { JUDGED } from '../mcp-guard/gate.ts';
import { runProxy } from '../mcp-guard/run-proxy.ts';
import { watchToolLists } from '../mcp-guard/tool-list.ts';
import { type OpenVerifier, openVerifier } from '../mcp-guard/verifier.ts';
import { printError } from '../output/terminal.ts';
import type { Verb } from './verb.ts';

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

export const mcpGuardVerb: Verb = {
  name: 'mcp-guard',
  summary: 'run an MCP server (stdio) that calls tools on ALLOW only',
  arguments: {
    command: 'the server, after --',
    args: new Argument('[args...]', 'its arguments'),
  },
  options: [
    new Option(
      '--agent <agent_id>',
      'whose calls they are: did:web:<domain>:agents:<agent_name>',
    ).makeOptionMandatory(),
    new Option('--url <base>', 'the service at this address; its API key is AGENT_IDENTITY_API_KEY'),
    new Option('--storage <url>', 'or the storage itself: sqlite:<file>, postgres://… or redis://…'),
    new Option('--subject <text>', 'the user or system for whom the agent acts: an opaque id of yours'),
    new Option('--session <text>', 'this run of the agent, for rules of order: an id of yours'),
    new Option('--approval-url <address>', 'the page where a person decides, before the approval id'),
    new Option('--agent-key <file>', 'with --url: sign each intent with this private key of the agent'),
    new Option('--tools <file>', 'a JSON file with a rule for each tool, by its name'),
    new Option('--partial', 'the file may have rules for tools that another server has'),
    new Option('--prefix <text>', 'the action of a tool is this and its name').default(''),
    names('--unjudged <names>', 'tools that run without a verdict, separated by commas'),
    choice('--explain <how>', 'what the model learns about a DENY', ['message', 'code', 'full']),
    new Option('--timeout-ms <ms>', 'after this time without a verdict a call is denied')
      .argParser(Number)
      .default(2_000),
    choice('--mode <mode>', 'observe asks by dry runs, and stops nothing', ['enforce', 'observe']),
    choice('--deny-as <what>', 'what the client gets for a DENY', ['result', 'error']),
    new Option('--hide-denied', 'leave tools that are always denied out of tools/list; no verdict: an error'),
    new Option('--methods', 'evaluate resources/read and prompts/get as well'),
    names('--allow-method <names>', 'further methods that pass, separated by commas'),
    new Option('--lazy', 'start although there is no verdict yet, and deny until there is'),
  ],
  notes: `It reads MCP on stdin and writes it on stdout; its own messages are on stderr. The server does not see the variables
AGENT_IDENTITY_*. A tool mapping of --tools says where the arguments hold the amount (a value that begins with / is a JSON
Pointer): { "create_payment_link": { "amount": "/amount", "decimals": "currency", "currency": "/currency" } }

A call that a person must approve is denied with an approval_id. Once it is approved (agent-identity approval approve),
the same call with _meta["agent-identity/approval_id"] runs once. With --approval-url the same call runs once without it, and
a client that opens pages (URL elicitation) shows the page to a person.

For Claude Desktop, Cursor and VS Code (there "servers" instead of "mcpServers"):
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

Exit codes: that of the server, 128 and the number of the signal that ended it, and
  1    there is no verdict at the start
  2    wrong usage, or a rule whose tool the server does not list
  127  there is no such command`,
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
  const asked = verifyBatch({
    intents: [{ agent_id: agentId, action: `${prefix}tools/list`, dry_run: true }],
  }).then(([record]) => warnOf(agentId, record?.reasons ?? []));
  if (options.lazy) asked.catch(() => undefined);
  else await asked;
  return runProxy({
    command,
    args,
    guard,
    denyAs,
    isHiding: options.hideDenied === true,
    allowedMethods: options.allowMethod,
    isJudgingMethods: options.methods === true,
    lists: watchToolLists(guard, {
      others: options.methods ? JUDGED : [],
      isPartial: options.partial === true,
      onMissing: (names) =>
        printError(`agent-identity: This server has no tool for the rules ${names.join(', ')}.`),
      isHiding: options.hideDenied === true,
    }),
  });
}

/** Warns if all calls of an agent are denied, because nothing else shows that its name is misspelt. */
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

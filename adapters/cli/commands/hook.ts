import { realpath } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Option } from 'commander';
import { weaknessesOf } from '../hook/check.ts';
import { CODING_AGENTS, type CodingAgent, codingAgentNamed } from '../hook/coding-agents.ts';
import { configPath, hookProgram, type InstallOptions, installHook } from '../hook/install.ts';
import { PRESETS } from '../hook/presets.ts';
import { evaluateHere } from '../hook/program.ts';
import { HookRefusal } from '../hook/refused.ts';
import { serveHook } from '../hook/resident.ts';
import { type TriedCall, tryCall } from '../hook/try-call.ts';
import { EXIT, usageError } from '../output/error.ts';
import { print, writeOutput } from '../output/terminal.ts';
import type { CliCommand, CommandGroup } from './command.ts';

interface ConfigOptions {
  readonly config?: string;
  readonly cwd?: string;
}

const HOST = {
  host: `coding agent that runs the hook, one of ${CODING_AGENTS.map(({ name }) => name).join(', ')}`,
};
const CONFIG = new Option(
  '--config <file>',
  'configuration file of the hook (default: ~/.agent-identity/hook.json)',
);
const CWD = new Option('--cwd <folder>', 'folder of the project (default: the current folder)');

export const hookCommand: CliCommand = {
  name: 'hook',
  summary: 'evaluate the tool calls of coding agents',
  arguments: HOST,
  options: [CONFIG],
  notes: `A coding agent runs this command before and after each tool call, and writes a JSON object about the call to its stdin.
After the call, the hook records the outcome. \`hook install\` writes the command into the settings of the coding agent.

Exit codes of a hook:
  0  the answer for the coding agent is on stdout
  2  the coding agent must not run the tool, and stderr has the reason in one line`,
  examples: ['agent-identity hook install claude-code', 'agent-identity hook check claude-code'],
  async run({ host: codingAgent }, { config }: ConfigOptions) {
    const event = await buffer(process.stdin);
    const answer = await evaluateHere({ host: String(codingAgent), config: configPath(config), event });
    await writeOutput(answer.stdout);
    if (answer.stderr !== '') process.stderr.write(answer.stderr);
    process.exitCode = answer.code;
  },
};

export const hookCommands: CommandGroup = {
  name: 'hook',
  summary: 'manage the hooks of coding agents',
  commands: [
    codingAgentCommand({
      name: 'install',
      summary: 'write the hooks into the settings of a coding agent',
      options: [
        new Option(
          '--scope <scope>',
          'settings to write; with `managed`, the settings for all users of this machine, which needs root',
        )
          .choices(['user', 'managed'])
          .default('user'),
        new Option('--preset <name>', 'preset for the passport of the agent').choices(Object.keys(PRESETS)),
        new Option(
          '--agent <agent_id>',
          'id of the agent (default: did:web:hook.invalid:agents:coder, whose domain cannot exist)',
        ),
        new Option('--url <base>', 'URL of the service (default: the hook has its own sqlite file)'),
        new Option('--key-file <file>', 'file with the API key for --url'),
        new Option(
          '--key-keychain <service>',
          'service name of the entry with the API key for --url, in the keychain of macOS or Linux',
        ),
        new Option(
          '--storage <url>',
          'URL of a storage to use instead of --url, in the form sqlite:<file>, postgres://<host> or redis://<host>',
        ),
        new Option(
          '--rules <file>',
          'JSON file with tool mappings; a tool mapping turns the calls of one tool into intents',
        ),
        CONFIG,
        new Option('--print', 'show the differences and write nothing'),
        new Option('--remove', 'remove the hooks from the settings'),
        new Option('--yes', 'write the settings without a confirmation prompt'),
      ],
      notes: `Presets:
  read   ${PRESETS.read}
  edit   ${PRESETS.edit}
  watch  ${PRESETS.watch}

The command keeps all other settings and hooks. The command shows each difference first.`,
      examples: [
        'agent-identity hook install claude-code',
        'agent-identity hook install codex --preset edit --yes',
        'agent-identity hook install claude-code --remove',
      ],
      run: (codingAgent, options: InstallOptions) => installHook(codingAgent, options),
    }),
    codingAgentCommand({
      name: 'try',
      summary: 'show the answer of the hook for a tool call',
      options: [
        new Option('--tool <name>', 'name of the tool in the coding agent').makeOptionMandatory(),
        new Option('--input <json>', 'arguments of the tool call, as JSON').makeOptionMandatory(),
        CWD,
        CONFIG,
      ],
      notes: 'The command makes a dry run, which takes nothing from budgets.',
      examples: [`agent-identity hook try claude-code --tool Bash --input '{"command":"git status"}'`],
      run: (codingAgent, { config, cwd = '.', ...call }: ConfigOptions & Pick<TriedCall, 'tool' | 'input'>) =>
        realpath(cwd).then((folder) =>
          tryCall(codingAgent, { ...call, cwd: folder, config: configPath(config) }),
        ),
    }),
    codingAgentCommand({
      name: 'check',
      summary: 'list settings that let tool calls bypass the hook',
      options: [CWD, CONFIG],
      examples: ['agent-identity hook check claude-code'],
      async run(codingAgent, { config, cwd = '.' }: ConfigOptions) {
        const place = { config: configPath(config), cwd: await realpath(cwd) };
        const weaknesses = await weaknessesOf(codingAgent, place);
        print(
          weaknesses.length === 0
            ? 'No way around the hook found.'
            : weaknesses.map((weakness) => `- ${weakness}`).join('\n'),
        );
        if (weaknesses.length > 0) process.exitCode = EXIT.failure;
      },
    }),
    {
      name: 'serve',
      summary: 'run the background process of the hook',
      options: [CONFIG],
      notes:
        'The hook starts this command at the start of a session of the coding agent. The process evaluates the tool calls faster, because it keeps its connection open. It ends after 30 minutes without a call. Each hook then evaluates its call itself.',
      examples: ['agent-identity hook serve'],
      async run(_args, { config }: ConfigOptions) {
        await refused(
          async () => void (await serveHook({ config: configPath(config), program: await hookProgram() })),
        );
        // A connection that is still open must not keep the process.
        process.exit();
      },
    },
  ],
};

interface CodingAgentCommand<Options> extends Omit<CliCommand, 'run' | 'arguments'> {
  run(codingAgent: CodingAgent, options: Options): Promise<void>;
}

function codingAgentCommand<Options>({ run, ...spec }: CodingAgentCommand<Options>): CliCommand {
  return {
    ...spec,
    arguments: HOST,
    run: ({ host: codingAgent }, options) =>
      refused(() => run(codingAgentNamed(String(codingAgent)), options as Options)),
  };
}

async function refused(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof HookRefusal ? usageError(error.message, error) : error;
  }
}

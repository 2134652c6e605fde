/** The text after an installation: the promises of a hook, and the next steps. */
import type { HookHost } from './hosts.ts';

/** Returns the text after an installation. */
export function howItHolds(host: HookHost, scope: 'user' | 'managed'): string {
  const steps =
    host.name === 'codex'
      ? 'Start Codex again, and trust the hook in /hooks: Codex skips it until then.'
      : `Start ${host.title} again.`;
  return [
    'Written.',
    '',
    `What is left to do: ${steps}`,
    `Try it: agent-identity hook try ${host.name} --tool Bash --input '{"command":"ls"}'`,
    '',
    'A hook is no sandbox:',
    `- ${host.whenItFails}`,
    '- A shell command is one action. A command that is allowed can do anything.',
    ...(scope === 'managed'
      ? ['- Only hooks of the administrator run now: the hooks of users are off.']
      : [
          '- An agent that may run a shell as you can edit these files, and approve for itself.',
          '- A project can turn hooks off. --scope managed, as root, prevents that.',
        ]),
    '- Hooks do not see @file, ! commands and the start of MCP servers.',
  ].join('\n');
}

/** The passports that `hook install` can create. */
import type { PassportInput } from '../../../src/index.ts';

export type Preset = 'read' | 'edit' | 'watch';

export const PRESETS: Readonly<Record<Preset, string>> = {
  read: 'may read files and search the web',
  edit: 'may also write files, and run a command after a person approves it',
  watch: 'may make every call, and the service records the calls',
};

const PLANNING: readonly string[] = [
  ...['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'],
  ...['TodoWrite', 'ToolSearch', 'update_plan', 'get_goal', 'request_user_input'],
].map((name) => `tool.${name}`);

const READING: readonly string[] = ['file.read', 'web.search', ...PLANNING];

const ALLOWED: Readonly<Record<Preset, Pick<PassportInput, 'allowed_actions' | 'approval'>>> = {
  read: { allowed_actions: READING },
  edit: {
    allowed_actions: [...READING, 'file.write', 'shell.run'],
    approval: { actions: ['shell.run'] },
  },
  watch: { allowed_actions: ['*'] },
};

/** The default id of the agent. Its domain can never exist, so nobody else can claim it. */
export const DEFAULT_AGENT = 'did:web:hook.invalid:agents:coder';

export function passportOf(preset: Preset, agentId: string): PassportInput {
  const [, domain = '', agent_name = ''] = /^did:web:(.+):agents:([^:]+)$/.exec(agentId) ?? [];
  return {
    domain: decodeURIComponent(domain),
    agent_name,
    monetary_limit_per_txn: 0,
    ...ALLOWED[preset],
  };
}

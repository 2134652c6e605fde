/** `hook check`: finds weaknesses of the hook on this machine and in a folder. */
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasRequirements } from './codex-requirements.ts';
import type { CodingAgent } from './coding-agents.ts';
import { readHookConfig } from './config.ts';
import { hooksFor, settingsPath } from './hook-settings.ts';
import { hookProgram } from './install.ts';
import { createSession } from './session.ts';
import { handlersIn, isOwn, readSettings } from './settings-file.ts';

const run = promisify(execFile);
const LIMIT_MS = 10_000;

export interface CheckedPlace {
  /** The absolute path of the configuration. */
  readonly config: string;
  readonly cwd: string;
}

export async function weaknessesOf(
  codingAgent: CodingAgent,
  place: CheckedPlace,
): Promise<readonly string[]> {
  const foundWeaknesses = await Promise.all([
    ofSettings(codingAgent, place),
    ofProject(codingAgent, place),
    ofProgram(codingAgent),
    ofPassport(place),
  ]);
  const ownWeaknesses = codingAgent.whenItFails.includes('RUNS') ? [codingAgent.whenItFails] : [];
  return [...foundWeaknesses.flat(), ...ownWeaknesses];
}

async function ofSettings(codingAgent: CodingAgent, { config }: CheckedPlace): Promise<readonly string[]> {
  const advice = `Run: agent-identity hook install ${codingAgent.name}`;
  const files = await Promise.all(
    (['user', 'managed'] as const).map((scope) =>
      readSettings(settingsPath(codingAgent, scope), codingAgent.isFlat).catch(() => undefined),
    ),
  );
  const [user] = files;
  if (user?.value === undefined)
    return [`${settingsPath(codingAgent, 'user')} is not plain JSON: its hooks are not known.`];
  const read = files.flatMap((file) => (file?.value === undefined ? [] : [file.value]));
  const problems = read.some((value) => value['disableAllHooks'] === true)
    ? [`disableAllHooks is set in the settings of ${codingAgent.title}: no hook runs.`]
    : [];
  const wait = await readHookConfig(config).then(
    ({ waitSeconds }) => waitSeconds,
    () => 0,
  );
  const program = await hookProgram();
  const wantedHooks = hooksFor(codingAgent, { node: process.execPath, program, config, waitSeconds: wait });
  const managedPath = settingsPath(codingAgent, 'managed');
  if (managedPath.endsWith('.toml') && (await hasRequirements(managedPath, { hooks: wantedHooks, program })))
    return problems;
  const handlers = read.flatMap((value) => ownHandlers(value, codingAgent));
  if (handlers.length === 0) return [...problems, `No hook is installed for ${codingAgent.title}. ${advice}`];
  const missing = Object.entries(wantedHooks).filter(
    ([, entry]) => !handlers.includes(JSON.stringify(handlersIn(entry)[0])),
  );
  if (missing.length === 0) return problems;
  return [
    ...problems,
    `The hooks for ${missing.map(([name]) => name).join(', ')} are missing or older. ${advice}`,
  ];
}

function ownHandlers(value: Readonly<Record<string, unknown>>, codingAgent: CodingAgent): readonly string[] {
  const groups = Object.values((value['hooks'] ?? {}) as Readonly<Record<string, readonly object[]>>);
  const handlers = groups.flat().flatMap(handlersIn);
  return handlers
    .filter((handler) => isOwn(handler, codingAgent.name))
    .map((handler) => JSON.stringify(handler));
}

/** The settings files that each coding agent reads in a project, relative to the project folder. */
const OF_PROJECT: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['.claude/settings.json', '.claude/settings.local.json'],
  cursor: ['.cursor/hooks.json'],
  copilot: [
    ...['.github/copilot/settings.json', '.github/copilot/settings.local.json'],
    ...['.claude/settings.json', '.claude/settings.local.json'],
  ],
};

async function ofProject(
  { name, title, isFlat }: CodingAgent,
  { cwd }: CheckedPlace,
): Promise<readonly string[]> {
  const foundWeaknesses: string[] = [];
  for (const file of OF_PROJECT[name] ?? []) {
    const path = join(cwd, file);
    const { value, text } = await readSettings(path, isFlat).catch(() => ({ value: undefined, text: '' }));
    if (value === undefined) {
      if (text !== '') foundWeaknesses.push(`${path} cannot be read: ${title} may read it differently.`);
      continue;
    }
    if (value['disableAllHooks'] === true)
      foundWeaknesses.push(`${path} sets disableAllHooks: no hook of a user runs here. Use --scope managed.`);
    if (value['hooks'] !== undefined)
      foundWeaknesses.push(`${path} has hooks. They can change the input of a tool after its verdict.`);
  }
  return foundWeaknesses;
}

async function ofProgram({ program, title, since }: CodingAgent): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const path of [process.execPath, await hookProgram()]) {
    await access(path).catch(() => missing.push(`${path} is missing.`));
  }
  try {
    const { stdout } = await run(program, ['--version'], { timeout: LIMIT_MS });
    const [version] = /\d+\.\d+\.\d+/.exec(stdout) ?? [];
    if (version === undefined) return [...missing, `${title} does not tell its version.`];
    const problem = `${title} ${version} is older than ${since}, the first version whose hooks hold.`;
    return isOlder(version, since) ? [...missing, problem] : missing;
  } catch {
    return [...missing, `The command ${program} is not on the PATH: its version is not known.`];
  }
}

function isOlder(version: string, sinceVersion: string): boolean {
  const [ownParts, leastParts] = [version, sinceVersion].map((text) => text.split('.').map(Number));
  const position = (ownParts ?? []).findIndex((part, index) => part !== leastParts?.[index]);
  return position !== -1 && (ownParts?.[position] ?? 0) < (leastParts?.[position] ?? 0);
}

/** Finds a passport that lets the agent approve its own requests. */
async function ofPassport({ config, cwd }: CheckedPlace): Promise<readonly string[]> {
  const session = createSession({ isResident: false });
  try {
    const read = await readHookConfig(config, cwd);
    const verifier = await session.verifierOf(read);
    const ask = { agent_id: read.agent, dry_run: true } as const;
    const parameters = { command: 'agent-identity approval list', cwd };
    const { verdict, reasons } = await verifier.verify({ ...ask, action: 'shell.run', parameters });
    const unknown = reasons.find(({ code }) => code.startsWith('agent_'));
    if (unknown !== undefined)
      return [`Every call of ${read.agent} is denied: ${unknown.message} (${unknown.code})`];
    if (verdict !== 'ALLOW' || read.storage === undefined) return [];
    return [
      'The agent may run commands without an approval, as you: it can change the storage, and approve for itself.',
    ];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    await session.close().catch(() => undefined);
  }
}

/** `hook install`: writes the hooks into the settings of a coding agent, and the configuration for them. */
import { chmod, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { createIdentityService } from '../../../src/index.ts';
import { openStorage, readStorageUrl } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { print, printError } from '../output/terminal.ts';
import { askLine } from './ask-line.ts';
import { planRequirements } from './codex-requirements.ts';
import type { CodingAgent } from './coding-agents.ts';
import { type HookFields, objectIn } from './config.ts';
import { packageFolder } from './evaluate-event.ts';
import { hooksFor, settingsPath } from './hook-settings.ts';
import { DEFAULT_AGENT, PRESETS, type Preset, passportOf } from './presets.ts';
import { differenceOf, type Hooks, readSettings, settingsText, writeWhole } from './settings-file.ts';
import { isInProject } from './trusted-file.ts';

export interface InstallOptions {
  readonly scope: 'user' | 'managed';
  readonly preset?: Preset;
  readonly agent?: string;
  readonly url?: string;
  readonly keyFile?: string;
  readonly keyKeychain?: string;
  readonly storage?: string;
  readonly rules?: string;
  readonly config?: string;
  readonly print?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly mode: number;
}

export function configPath(path: string | undefined): string {
  return path === undefined ? join(homedir(), '.agent-identity', 'hook.json') : resolve(path);
}

export function hookProgram(): Promise<string> {
  return realpath(join(packageFolder(), 'dist', 'hook.cjs'));
}

export async function installHook(codingAgent: CodingAgent, options: InstallOptions): Promise<void> {
  const program = await hookProgram();
  const file = configPath(options.config);
  const config = options.remove ? undefined : await planConfig(file, options);
  if (!options.remove) await assertStaying(program);
  const settings = await planSettings(codingAgent, options, { program, file, config });
  const changes = [config?.change, settings].filter((change) => change !== undefined);
  for (const { path, before, after } of changes) print([path, ...differenceOf(before, after)].join('\n'));
  if (config?.preset !== undefined)
    print(`A passport ${config.fields.agent} (${config.preset}: ${PRESETS[config.preset]})`);
  if (changes.length === 0 && config?.preset === undefined) return print('Nothing changes.');
  if (options.print) return;
  await confirmWrite(options);
  if (config !== undefined) await makePassport(config);
  for (const { path, after, mode } of changes) {
    await (after === '' ? rm(path) : writeWhole(path, after, mode));
  }
  if (config !== undefined) print(howItHolds(codingAgent, options.scope));
}

interface SettingsInput {
  readonly program: string;
  readonly file: string;
  readonly config: ConfigPlan | undefined;
}

async function planSettings(
  codingAgent: CodingAgent,
  { scope, remove }: InstallOptions,
  { program, file, config }: SettingsInput,
): Promise<Change | undefined> {
  const waitSeconds = config?.fields.approvals === 'wait' ? (config.fields.wait_seconds ?? 50) : 0;
  const command = { node: process.execPath, program, config: file, waitSeconds };
  const hooks = config === undefined ? {} : hooksFor(codingAgent, command);
  const path = settingsPath(codingAgent, scope);
  if (path.endsWith('.toml')) return planRequirements(path, { hooks, program, remove: remove === true });
  const settings = await readSettings(path, codingAgent.isFlat);
  const extra = remove ? {} : fieldsBeside(codingAgent, scope);
  const isKnown = settings.value !== undefined;
  const isByHand = [program, file].every((path) => settings.text?.includes(path));
  if (!isKnown && !isByHand) byHand(settings.path, blockOf(hooks, extra));
  const textBefore = settings.text ?? '';
  const textAfter = isKnown
    ? settingsText(settings, { host: codingAgent.name, hooks, more: extra })
    : textBefore;
  const isGone = remove && settings.text === undefined;
  if (textAfter === textBefore || isGone) return undefined;
  const mode = scope === 'managed' ? 0o644 : 0o600;
  return { path: settings.path, before: textBefore, after: textAfter, mode };
}

function fieldsBeside(
  { name, isFlat }: CodingAgent,
  scope: InstallOptions['scope'],
): Readonly<Record<string, unknown>> {
  if (scope === 'managed' && name === 'claude-code') return { allowManagedHooksOnly: true };
  return isFlat ? { version: 1 } : {};
}

function blockOf(hooks: Hooks, extra: object): object {
  return {
    hooks: Object.fromEntries(Object.entries(hooks).map(([name, group]) => [name, [group]])),
    ...extra,
  };
}

function byHand(path: string, block: object): never {
  print(JSON.stringify(block, null, 2));
  throw usageError(
    `${path} is not plain JSON, or has another form. Nothing was changed: add the block above by hand.`,
  );
}

async function confirmWrite({ yes }: InstallOptions): Promise<void> {
  if (yes) return;
  const answer = await askLine('Write it? [y/N] ');
  if (!/^y(?:es)?$/i.test(answer.trim())) throw usageError('Nothing was changed.');
}

/** Throws if the package may disappear later, or the agent can write it. */
async function assertStaying(program: string): Promise<void> {
  const isTemporary = /[\\/]_npx[\\/]/.test(program) || (await isInProject(program, process.cwd()));
  if (!isTemporary) return;
  throw usageError(
    'The package is in a cache, or in this project. Run: npm install --global agent-identity-service',
  );
}

interface ConfigPlan {
  readonly fields: HookFields;
  /** Absent if the file needs no change. */
  readonly change?: Change;
  readonly preset?: Preset;
}

async function planConfig(path: string, options: InstallOptions): Promise<ConfigPlan> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const present = text === '' ? {} : objectIn(Buffer.from(text), path);
  const fields = { ...present, ...fieldsOf(path, present, options) } as unknown as HookFields;
  const textAfter = `${JSON.stringify(fields, null, 2)}\n`;
  const isSame = text !== '' && JSON.stringify(fields) === JSON.stringify(present);
  const change = isSame ? undefined : { path, before: text, after: textAfter, mode: 0o600 };
  const isOwn = fields.storage?.startsWith('sqlite:') && !(await hasPassport(fields));
  const preset = isOwn ? await choosePreset(options) : undefined;
  return { fields, ...(change && { change }), ...(preset && { preset }) };
}

function fieldsOf(
  path: string,
  present: Readonly<Record<string, unknown>>,
  options: InstallOptions,
): Readonly<Record<string, unknown>> {
  const { agent, url, storage, rules, keyFile, keyKeychain } = options;
  if (url !== undefined && storage !== undefined) throw usageError('Name --url or --storage, one of them.');
  const isNew = present['agent'] === undefined;
  const ownText = isNew && url === undefined ? `sqlite:${join(dirname(path), 'passports.db')}` : undefined;
  const key = keyFile === undefined ? keyKeychain && `keychain:${keyKeychain}` : `file:${resolve(keyFile)}`;
  if (url !== undefined && key === undefined && present['key'] === undefined)
    throw usageError('--url needs --key-file or --key-keychain: the settings hold no secret.');
  const place = url === undefined ? { storage: absoluteStorage(storage) ?? ownText } : { url };
  const input = {
    agent: agent ?? (isNew ? DEFAULT_AGENT : undefined),
    ...place,
    key,
    rules: rules && resolve(rules),
  };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** Returns the storage with an absolute path, because the hook runs in other folders. */
function absoluteStorage(storage: string | undefined): string | undefined {
  if (storage === undefined) return undefined;
  const place = readStorageUrl(storage);
  if (place.kind === 'memory') throw usageError('memory: ends with the command. Use sqlite:<file>');
  return place.kind === 'sqlite' && !isAbsolute(place.file) ? `sqlite:${resolve(place.file)}` : storage;
}

async function hasPassport({ storage = '', agent }: HookFields): Promise<boolean> {
  const place = readStorageUrl(storage);
  if (place.kind !== 'sqlite' || (await stat(place.file).catch(() => undefined)) === undefined) return false;
  const service = createIdentityService({
    storage: await openStorage(place, { mustExist: true }),
    allowLocalhost: true,
  });
  try {
    return (await service.passports.get(agent).catch(() => undefined)) !== undefined;
  } finally {
    await service.close();
  }
}

async function choosePreset({ preset, print: isPrinting }: InstallOptions): Promise<Preset> {
  if (preset !== undefined) return preset;
  if (isPrinting) return 'read';
  for (const [name, text] of Object.entries(PRESETS)) printError(`  ${name.padEnd(6)} ${text}`);
  const answer = (
    await askLine('Which preset? [read] ', 'Add --yes and --preset: there is no terminal to ask at.')
  ).trim();
  if (answer === '') return 'read';
  if (Object.hasOwn(PRESETS, answer)) return answer as Preset;
  throw usageError('The presets are read, edit and watch. Nothing was changed.');
}

async function makePassport({ fields, preset, change }: ConfigPlan): Promise<void> {
  if (change !== undefined) {
    await mkdir(dirname(change.path), { recursive: true, mode: 0o700 });
    if (dirname(change.path).endsWith('.agent-identity')) await chmod(dirname(change.path), 0o700);
  }
  if (preset === undefined) return;
  const place = readStorageUrl(fields.storage ?? '');
  const service = createIdentityService({ storage: await openStorage(place), allowLocalhost: true });
  try {
    if (place.kind === 'sqlite') await chmod(place.file, 0o600);
    await service.passports.create(passportOf(preset, fields.agent));
  } finally {
    await service.close();
  }
}

function howItHolds(codingAgent: CodingAgent, scope: 'user' | 'managed'): string {
  const steps =
    codingAgent.name === 'codex' && scope === 'user'
      ? 'Start Codex again, and trust the hook in /hooks: Codex skips it until then.'
      : `Start ${codingAgent.title} again.`;
  return [
    'Written.',
    '',
    `Next: ${steps}`,
    `Try it: agent-identity hook try ${codingAgent.name} --tool Bash --input '{"command":"ls"}'`,
    '',
    'A hook is no sandbox:',
    `- ${codingAgent.whenItFails}`,
    '- A shell command is one action. A command that is allowed can do anything.',
    ...(scope === 'managed'
      ? [
          ['claude-code', 'codex'].includes(codingAgent.name)
            ? '- Only hooks of the administrator run now: the hooks of users are off.'
            : '- The hook runs for every user of this machine.',
        ]
      : [
          '- An agent that may run a shell as you can edit these files, and approve for itself.',
          '- A project can turn hooks off. --scope managed, as root, prevents that.',
        ]),
    '- Hooks do not see @file, ! commands and the start of MCP servers.',
  ].join('\n');
}

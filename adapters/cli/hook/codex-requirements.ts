/**
 * Plans changes of `requirements.toml`, in which an administrator of Codex sets hooks. Only Codex's own parser can
 * safely change parts of this file.
 */
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { usageError } from '../output/error.ts';
import { print } from '../output/terminal.ts';
import type { HandlerGroup, Hooks } from './settings-file.ts';

/** The first line of a file that `hook install` has written completely. */
const MARK = '# Written by "agent-identity hook install codex --scope managed".';

export interface RequirementsChange {
  readonly path: string;
  readonly before: string;
  /** The new content. If it is empty, the file is removed. */
  readonly after: string;
  readonly mode: number;
}

/**
 * Returns the change of `requirements.toml`; `undefined` if there is none. A file that `hook install` has not written
 * stays untouched. The function then prints the lines to add by hand, and throws.
 */
export async function planRequirements(
  path: string,
  { hooks, program, remove }: { readonly hooks: Hooks; readonly program: string; readonly remove: boolean },
): Promise<RequirementsChange | undefined> {
  const fileBefore = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const isOwn = fileBefore.startsWith(MARK);
  const textAfter = remove ? '' : requirementsText(hooks, dirname(program));
  if (fileBefore === textAfter || (remove && !isOwn && !fileBefore.includes(program))) return undefined;
  if (fileBefore.trim() !== '' && !isOwn) {
    if (fileBefore.includes(program) && !remove) return undefined;
    print(remove ? `Remove the hooks with ${program} from ${path}.` : textAfter);
    throw usageError(`${path} has lines of somebody else. Nothing was changed: edit it by hand as above.`);
  }
  return { path, before: fileBefore, after: textAfter, mode: 0o644 };
}

export async function hasRequirements(
  path: string,
  { hooks, program }: { readonly hooks: Hooks; readonly program: string },
): Promise<boolean> {
  const present = await readFile(path, 'utf8').catch(() => '');
  return present === requirementsText(hooks, dirname(program));
}

function requirementsText(hooks: Hooks, folder: string): string {
  const groups = Object.entries(hooks).map(([event, group]) => groupText(event, group as HandlerGroup));
  const head = [MARK, 'allow_managed_hooks_only = true', '', '[hooks]', `managed_dir = ${text(folder)}`];
  return `${[...head, ...groups.flat()].join('\n')}\n`;
}

function groupText(event: string, { matcher, hooks }: HandlerGroup): readonly string[] {
  return [
    '',
    `[[hooks.${event}]]`,
    ...(matcher === undefined ? [] : [`matcher = ${text(matcher)}`]),
    ...hooks.flatMap(({ command = '', timeout = 0 }) => [
      '',
      `[[hooks.${event}.hooks]]`,
      'type = "command"',
      `command = ${text(command)}`,
      `timeout = ${timeout}`,
    ]),
  ];
}

/** Returns a basic string of TOML. It is JSON in which U+007F is escaped. */
function text(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

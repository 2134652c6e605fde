/** The command by which a person decides on an approval. */
import type { HookConfig } from './config.ts';

/** Returns a sentence, after a space, with the command that decides; `''` if a page does, or nobody is asked. */
export function howToDecide(
  { url, storage }: Pick<HookConfig, 'url' | 'storage'>,
  approval: { readonly id: string; readonly url?: string } | undefined,
): string {
  if (approval === undefined || approval.url !== undefined) return '';
  const place = url === undefined ? `--storage ${quoted(storage ?? '')}` : `--url ${quoted(url)}`;
  return ` A person decides with: agent-identity approval approve ${approval.id} ${place}`;
}

/** Quotes a text for a POSIX shell, if it needs quotes. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

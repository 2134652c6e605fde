/** The files that control hooks. Tools must not write them. */
import { realpathSync } from 'node:fs';
import { isWithin } from './trusted-file.ts';

const STEERING: readonly RegExp[] = [
  /\/\.claude\/settings[^/]*\.json$/,
  /\/\.codex\/config\.toml$/,
  /\/hooks\.json$/,
  /\/\.gemini\/settings\.json$/,
  /\/\.github\/hooks(?:\/|$)/,
  /\/\.github\/copilot\/settings[^/]*\.json$/,
  /\/\.copilot(?:\/|$)/,
  /\/\.mcp\.json$/,
  /\/(?:managed-settings|managed-mcp)[^/]*(?:\/|\.json$)/,
  /^\/etc\/(?:claude-code|codex|cursor|gemini-cli|github-copilot)(?:\/|$)/,
  /\/application support\/(?:claudecode|cursor|geminicli)(?:\/|$)/,
];

/** Says whether the file controls hooks. `own` has the files and folders of the hook itself. */
export function isProtected(path: string, own: readonly string[]): boolean {
  const folded = path.toLowerCase();
  if (STEERING.some((pattern) => pattern.test(folded))) return true;
  return own.some((place) => isWithin(folded, realOf(place).toLowerCase()));
}

function realOf(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    return place;
  }
}

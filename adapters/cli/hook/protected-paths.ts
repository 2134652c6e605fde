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

/** Says whether the file controls hooks. `ownPaths` has the files and folders of the hook itself. */
export function isProtected(path: string, ownPaths: readonly string[]): boolean {
  const foldedPath = path.toLowerCase();
  if (STEERING.some((pattern) => pattern.test(foldedPath))) return true;
  return ownPaths.some((place) => isWithin(foldedPath, realOf(place).toLowerCase()));
}

function realOf(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    return place;
  }
}

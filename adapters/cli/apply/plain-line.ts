import { visible } from '../output/terminal.ts';

/**
 * Returns the text in a form for a log line. Control and format characters are escaped. Some CI systems run
 * the commands `##[…]` and `##vso[…]` even in the middle of a line, so `##` is escaped as well.
 */
export function plain(text: string): string {
  return visible(text).replaceAll(/#(?=#)/g, '\\u0023');
}

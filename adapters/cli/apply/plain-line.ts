import { visible } from '../output/terminal.ts';

/**
 * Returns the text in a form for a log line. Control and format characters are escaped. The start of commands that some
 * CI systems read within a line, `##[…]` and `##vso[…]`, is escaped as well.
 */
export function plain(text: string): string {
  return visible(text).replaceAll(/#(?=#)/g, '\\u0023');
}

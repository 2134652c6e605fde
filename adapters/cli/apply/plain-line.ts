import { visible } from '../output/terminal.ts';

/**
 * Returns the text for a line of a log. Control and format characters are escaped, and so is the mark of the commands
 * that some CI systems read within a line, `##[…]` and `##vso[…]`.
 */
export function plain(text: string): string {
  return visible(text).replaceAll(/#(?=#)/g, '\\u0023');
}

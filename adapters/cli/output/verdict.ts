import type { Reason, Verdict } from '../../../src/index.ts';
import { unreadPart } from '../../../src/verdict/index.ts';
import { EXIT } from './error.ts';
import { print, printJson, visible } from './terminal.ts';

/** Prints a verdict, and sets the exit code: 0 for ALLOW, 3 for DENY. */
export function outputVerdict(verdict: Verdict, { json = false }: { readonly json?: boolean }): void {
  if (json) printJson(verdict);
  else print(verdictText(verdict));
  if (verdict.verdict !== 'ALLOW') process.exitCode = EXIT.denied;
}

/** Returns a verdict as text, with a line for each reason. */
export function verdictText({ verdict, reasons }: Verdict): string {
  return [verdict, ...reasons.map(reasonLine)].join('\n');
}

function reasonLine(reason: Reason): string {
  const { code, message, ...facts } = reason;
  const shown = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  const unread = unreadPart(reason);
  const more = shown.length === 0 ? '' : ` (${shown.join(', ')})`;
  return visible(`  ${code}: ${message}${more}${unread === undefined ? '' : ` ${unread}`}`);
}

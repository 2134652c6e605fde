import type { Reason, Verdict } from '../../../src/index.ts';
import { EXIT } from './error.ts';
import { print, printJson, visible } from './terminal.ts';

/** Prints a verdict, and sets the exit code: 0 for ALLOW, 3 for DENY. */
export function outputVerdict(verdict: Verdict, { json = false }: { readonly json?: boolean }): void {
  if (json) printJson(verdict);
  else print([verdict.verdict, ...verdict.reasons.map(reasonLine)].join('\n'));
  if (verdict.verdict !== 'ALLOW') process.exitCode = EXIT.denied;
}

function reasonLine({ code, message, ...facts }: Reason): string {
  const shown = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return visible(`  ${code}: ${message}${shown.length === 0 ? '' : ` (${shown.join(', ')})`}`);
}

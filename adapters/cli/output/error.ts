import { CommanderError } from 'commander';
import { IdentityError, type IdentityErrorCode, type Reason, type Verdict } from '../../../src/index.ts';
import { type Comparison, differenceSentence } from '../../../src/verdict/compare/index.ts';
import { unreadPart } from '../../../src/verdict/index.ts';
import { print, printError, printJson, visible } from './terminal.ts';

/** The exit codes of the commands. Only `apply` uses the last two. */
export const EXIT: Readonly<Record<'failure' | 'usage' | 'denied' | 'drift' | 'waits', number>> = {
  failure: 1,
  usage: 2,
  denied: 3,
  drift: 4,
  waits: 5,
};

const USAGE: readonly IdentityErrorCode[] = ['invalid_configuration', 'invalid_request', 'invalid_json'];

export function outputError(error: unknown): void {
  if (error instanceof CommanderError) {
    // Commander has printed it; help and version are not errors.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
    return;
  }
  const isOurs = error instanceof IdentityError;
  process.exitCode = isOurs && USAGE.includes(error.code) ? EXIT.usage : EXIT.failure;
  printError(isOurs ? errorText(error) : `agent-identity: ${firstLine(error)}`);
}

export function usageError(message: string, cause?: unknown): IdentityError {
  return new IdentityError('invalid_configuration', message, { cause });
}

/**
 * Returns an error message of Commander as one line in the format of this package. A value after `=` is left out,
 * because it may be a secret.
 */
export function plainUsageError(text: string): string {
  const line = text.replace(/^error: /, '').replaceAll(/'(--?[^'=\s]+)=[^']*'/g, "'$1'");
  const hint = line.includes("unknown option '--name'") ? NAME_HINT : '';
  return `agent-identity: ${visible(line.trim().replaceAll(/\s*\n\s*/g, ' '))}${hint}`;
}

const NAME_HINT = ' (the name is an argument, as in key create checkout)';

function errorText(error: IdentityError): string {
  const { errors = [], change } = error.details;
  if (errors.length < 2)
    return [`agent-identity: ${error.message}`, ...widerLines(change), ...approvalLines(error)]
      .map((line) => visible(line))
      .join('\n');
  const lines = errors.map(({ path, message }) => visible(`  ${path || '(all)'}: ${message}`));
  return [`agent-identity: ${visible(withoutFirst(error))}`, ...lines].join('\n');
}

function widerLines(change: unknown): readonly string[] {
  const { wider = [] } = (change ?? {}) as Partial<Comparison>;
  return wider.map((difference) => `  + ${differenceSentence(difference, 'wider')}`);
}

function approvalLines({ code, details: { approval_id, expires_at } }: IdentityError): readonly string[] {
  if (code !== 'second_person_required' || typeof approval_id !== 'string') return [];
  return [
    `  approval_id: ${approval_id}, open until ${expires_at}`,
    `  Another person runs: agent-identity approval approve ${approval_id}`,
    `  Then run the same command with --approval-id ${approval_id}`,
  ];
}

function withoutFirst({ message, details }: IdentityError): string {
  const [first] = details.errors ?? [];
  const tail = first === undefined ? '' : `${first.path || 'The request'}: ${first.message}`;
  const index = message.indexOf(tail);
  const head = index === -1 ? `${message} ` : message.slice(0, index);
  return `${head}These fields are not valid:`;
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : 'Something was thrown that is not an error.';
  return visible(text.split('\n', 1)[0] ?? '');
}

export function outputVerdict(verdict: Verdict, { json = false }: { readonly json?: boolean }): void {
  if (json) printJson(verdict);
  else print(verdictText(verdict));
  if (verdict.verdict !== 'ALLOW') process.exitCode = EXIT.denied;
}

export function verdictText({ verdict, reasons }: Verdict): string {
  return [verdict, ...reasons.map(reasonLine)].join('\n');
}

function reasonLine(reason: Reason): string {
  const { code, message, ...facts } = reason;
  const shownNames = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  const unread = unreadPart(reason);
  const suffix = shownNames.length === 0 ? '' : ` (${shownNames.join(', ')})`;
  return visible(`  ${code}: ${message}${suffix}${unread === undefined ? '' : ` ${unread}`}`);
}

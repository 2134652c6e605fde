import type { Command } from 'commander';
import { jsonOption, storageOption } from '../backend/backend.ts';
import type { OperatorOptions } from '../backend/operator.ts';
import { examine } from '../doctor/examine.ts';
import { type Finding, worstOf } from '../doctor/finding.ts';
import { readStorageUrl } from '../input/storage-url.ts';
import { print, printJson, visible } from '../output/terminal.ts';

interface DoctorOptions extends OperatorOptions {
  readonly secretFile?: string;
}

const EXIT_CODES = { ok: 0, warn: 1, fail: 2 } as const;

/** Adds `doctor`: what an operator has to know about a storage. */
export function addDoctorCommand(program: Command, version: string): void {
  program
    .command('doctor')
    .description('say whether a storage and this machine can serve, and what to do (changes nothing)')
    .addOption(storageOption())
    .option('--secret-file <path>', 'the signing secret in a file, as for serve (env: AGENT_IDENTITY_SECRET)')
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action(async ({ storage, secretFile, json }: DoctorOptions) => {
      const place = readStorageUrl(storage);
      const findings = await examine({ version, place, secretFile });
      const status = worstOf(findings);
      process.exitCode = EXIT_CODES[status];
      if (json) printJson({ status, findings });
      else print(findings.map(lineOf).join('\n'));
    });
}

function lineOf({ check, status, detail, action }: Finding): string {
  const head = `${status.padEnd(4)}  ${check.padEnd(10)}  `;
  return `${head}${visible(detail)}${action === undefined ? '' : ` -> ${visible(action)}`}`;
}

const AFTER = `
It can run beside a server. If the tables are missing or older than this release, it stops there.

Exit codes of doctor:
  0  every line is ok
  1  a line is warn, none is fail
  2  a line is fail, or the usage is wrong

Examples:
  $ agent-identity doctor
  $ agent-identity doctor --storage postgres://agents@db/agents --json`;

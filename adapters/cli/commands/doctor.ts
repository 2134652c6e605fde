import { Option } from 'commander';
import { storageOption } from '../backend/backend.ts';
import { examine } from '../doctor/examine.ts';
import { type Finding, worstOf } from '../doctor/finding.ts';
import { readStorageUrl } from '../input/storage-url.ts';
import { visible } from '../output/terminal.ts';
import { answerCommand } from './answering.ts';
import type { CliCommand } from './command.ts';

interface DoctorOptions {
  readonly storage: string;
  readonly secretFile?: string;
}

const EXIT_CODES = { ok: 0, warn: 1, fail: 2 } as const;

export function doctorCommand(version: string): CliCommand {
  return answerCommand({
    name: 'doctor',
    summary: 'find problems of a storage or this machine, with fixes',
    options: [
      storageOption(),
      new Option(
        '--secret-file <path>',
        'file with the signing secret of serve; AGENT_IDENTITY_SECRET can hold the secret itself',
      ),
    ],
    notes: `You can run the command while the service runs. Each line of the output begins with the status of one check. If the
tables are missing or older than this release, the command makes no further checks.

Exit codes of doctor:
  0  each check has the status ok
  1  a check has the status warn, and no check has the status fail
  2  a check has the status fail, or the usage is wrong`,
    examples: ['agent-identity doctor', 'agent-identity doctor --storage postgres://agents@db/agents --json'],
    async call(_, _args, _input, { storage, secretFile }: DoctorOptions) {
      const findings = await examine({ version, place: readStorageUrl(storage), secretFile });
      return { status: worstOf(findings), findings };
    },
    text: ({ findings }) => findings.map(lineOf).join('\n'),
    exitCode: ({ status }) => EXIT_CODES[status],
  });
}

function lineOf({ check, status, detail, action }: Finding): string {
  const head = `${status.padEnd(4)}  ${check.padEnd(10)}  `;
  return `${head}${visible(detail)}${action === undefined ? '' : ` -> ${visible(action)}`}`;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Option } from 'commander';
import type { LogFinding } from '../../../src/transparency-log/index.ts';
import { loginOptions, secretFileOption } from '../backend/backend.ts';
import { ACCOUNT_NAME, accountId } from '../backend/named-account.ts';
import { openRemoteBackend } from '../backend/remote.ts';
import { type AuditedLog, auditLog, folderSource, publicSource, readKeys } from '../log/audit-log.ts';
import { exportLog } from '../log/export-log.ts';
import { fieldList } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { answerCommand, storageCommand, webhookCommand } from './answering.ts';
import type { CommandGroup } from './command.ts';

interface VerifyOptions {
  readonly key?: readonly string[];
  readonly state?: string;
  readonly permit?: readonly string[];
  readonly receipt?: readonly string[];
  readonly email: string;
  readonly passwordFile?: string;
}

const SEALING = { isSealing: true };

function many(option: Option): Option {
  return option.argParser((value: string, listBefore: readonly string[] = []) => [...listBefore, value]);
}

export const logCommands: CommandGroup = {
  name: 'log',
  summary: 'manage the evidence logs of accounts',
  commands: [
    webhookCommand({
      name: 'show',
      summary: 'show the state of the evidence log',
      examples: ['agent-identity log show'],
      call: ({ evidence }) => evidence.state(),
      text: ({ keys, earlier, checkpoint: _, ...log }) =>
        [
          fieldList(log),
          ...keys.map(
            ({ key, retired_at }) => `key: ${visible(key)}${retired_at ? ` (until ${retired_at})` : ''}`,
          ),
          ...earlier.map(
            ({ origin, size, ended_at }) => `earlier: ${visible(origin)}, ${size} leaves, ended ${ended_at}`,
          ),
        ].join('\n'),
    }),
    webhookCommand({
      name: 'export',
      summary: 'export the evidence log of an account to a folder',
      options: [new Option('--out <folder>', 'folder to write the log to').makeOptionMandatory()],
      notes: `The file entries.jsonl has a line for each entry of the log. The folder blocks has files with many verdict records
each, the blocks. The name of a block is the SHA-256 hash of the file, as sha256sum prints it. When an entry is older
than \`serve --retention-days\`, the service removes its text and its block. The line of this entry is then null. The
file kept-since has the instant at which the retention begins. \`log verify\` reports a block as missing only if it is
younger than this instant.`,
      examples: ['agent-identity log export --out ./log'],
      call: (backend, _args, _input, { out }: { readonly out: string }) => exportLog(backend, out),
      text: ({ origin, size, entries, blocks }) =>
        `${visible(origin)}: ${size} leaves, ${entries} entries, ${blocks} blocks.`,
    }),
    answerCommand({
      name: 'verify',
      summary: 'check an evidence log at a URL or in a folder',
      arguments: {
        log: new Argument(
          '<url|folder>',
          'URL of a service, such as https://id.example/api, or the folder of an exported log',
        ),
      },
      options: [
        many(
          new Option(
            '--key <key>',
            'public key of the log, in the form that `log show` prints; get this key from a person whom you trust',
          ),
        ),
        new Option(
          '--state <file>',
          'file with the checkpoint (the signed state of the log) of your last check; the command checks that the log has only grown since then, and updates the file',
        ),
        many(
          new Option(
            '--permit <file>',
            'file with a permit that you have kept; the log must contain its verdict',
          ),
        ),
        many(
          new Option(
            '--receipt <file>',
            'file with a receipt that you have kept; it must belong to this log',
          ),
        ),
        ...loginOptions(),
      ],
      notes: `The exit code is 1 if a check fails. At a URL, the command checks only the hashes of the entries, which are public. If
AGENT_IDENTITY_PASSWORD is set, the command signs in with --email. It then also checks the texts of the entries, and
the verdict records (blocks) of that account.`,
      examples: [
        'agent-identity log verify ./log --key "$KEY"',
        'agent-identity log verify https://id.example/api --key "$KEY" --state ./checkpoint',
      ],
      call: (_command, { log }, _input, options: VerifyOptions) => verify(log, options),
      text: textOf,
      exitCode: ({ findings }) => (findings.length === 0 ? 0 : 1),
    }),
    storageCommand(
      {
        name: 'off',
        summary: 'turn off the evidence logs of all accounts',
        options: [secretFileOption()],
        notes:
          'The command first adds all records that the logs do not have yet. Before you run the command, stop every node that runs with --evidence-log. Then start the nodes without this option, because a node with it turns the logs on again.',
        examples: ['agent-identity log off'],
        async call({ logs }) {
          await logs.end();
          return { log: 'off' };
        },
      },
      SEALING,
    ),
    storageCommand(
      {
        name: 'restart',
        summary: 'end the evidence log of an account and begin a new log',
        arguments: { account: `${ACCOUNT_NAME}` },
        options: [secretFileOption()],
        notes: `Use this command after you restore a storage from a backup. The restored log lacks entries that auditors have already
seen, so their checks fail until you begin a new log. Everyone can see that the old log has ended.`,
        examples: ['agent-identity log restart ann@example.com'],
        call: async (service, { account }) => ({
          log_id: await service.logs.restart(await accountId(service, account)),
        }),
      },
      SEALING,
    ),
  ],
};

async function verify(place: string, options: VerifyOptions): Promise<AuditedLog> {
  const { key = [], state, permit = [], receipt = [] } = options;
  const [{ name } = { name: '' }] = await readKeys(key);
  const keptFields = { ...(state !== undefined && { state }), permits: permit, receipts: receipt };
  if (!/^https?:/.test(place)) return auditLog(await folderSource(place), key, keptFields);
  const { AGENT_IDENTITY_PASSWORD: password, AGENT_IDENTITY_TOKEN: token } = process.env;
  if ((options.passwordFile ?? password ?? token) === undefined)
    return auditLog(await publicSource(place, name), key, keptFields);
  const folder = await mkdtemp(join(tmpdir(), 'agent-identity-log-'));
  const backend = await openRemoteBackend({ ...options, url: place });
  try {
    await exportLog(backend, folder);
    return await auditLog(await folderSource(folder), key, keptFields);
  } finally {
    await backend.close();
    await rm(folder, { recursive: true });
  }
}

type FindingCode = LogFinding['code'] | 'permit' | 'receipt';

const MEANINGS: Readonly<Record<FindingCode, string>> = {
  checkpoint: 'No given key has signed the checkpoint, or it is about another log.',
  older: 'No given key has signed the older checkpoint.',
  history: 'The log does not begin with the older tree of this size: an earlier part was changed.',
  tile: 'The tile is missing, or its hashes do not fit the leaves.',
  root: 'The hashes do not give the signed root: a leaf was changed.',
  leaf: 'The text of the entry is not the text that the leaf was made of: it was changed later.',
  entries: 'The number of entries is not the number of leaves.',
  removed: 'It is missing, although it is younger than the retention or than another that is there.',
  content: 'The text is no entry of this log.',
  repeated: 'The log has a block, a verdict or an event twice.',
  permits: 'The entry of a verdict with a permit and its block do not fit.',
  block: 'The verdicts of the entry are not those that the log covers: the block was changed later.',
  header: 'The entry says something else than its block has.',
  permit: 'The verdict of the permit is in no entry.',
  receipt: 'The receipt is not of this log.',
};

const WHAT_TO_DO = `What to do: write the log into a folder with agent-identity log export, keep it with your last checkpoint, and ask the
operator of the service for the cause. After a restore from a backup, the operator runs agent-identity log restart.`;

function textOf({ origin, size, findings, unchecked }: AuditedLog): string {
  const foundLines = findings.map(({ code, index, detail }) => {
    const pathParts = [
      ...(index === undefined ? [] : [`entry ${index}`]),
      ...(detail === undefined ? [] : [detail]),
    ];
    const place = pathParts.length === 0 ? '' : ` ${visible(pathParts.join(', '))}.`;
    return `${code}:${place} ${MEANINGS[code as FindingCode] ?? ''}`.trimEnd();
  });
  const result =
    findings.length === 0 ? `${visible(origin ?? '')}: ${size} leaves, all is well.` : 'The log is not good:';
  const advice = findings.length === 0 ? [] : [WHAT_TO_DO];
  return [result, ...foundLines, ...advice, ...unchecked.map((label) => `Not checked: ${label}.`)].join('\n');
}

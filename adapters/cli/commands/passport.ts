import { Argument, InvalidArgumentError, Option } from 'commander';
import type { Passport, PassportInput, PassportPatch } from '../../../src/client.ts';
import { passportOperations } from '../../../src/core/passports/operations.ts';
import { DECIDING_ROLES } from '../../../src/http/index.ts';
import type { Backend } from '../backend/methods.ts';
import { unusedOption } from '../backend/pages.ts';
import { readJsonFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
import { printError, visible } from '../output/terminal.ts';
import { accountCommand } from './answering.ts';
import type { CliCommand, CommandGroup } from './command.ts';
import { commandsOf } from './from-operations.ts';
import { passportDiffCommand } from './passport-diff.ts';
import { passportExportCommand } from './passport-export.ts';
import {
  AGENT_ID,
  CHANGEABLE,
  FIELDS,
  keysOf,
  PATCH_OPTIONS,
  type PatchFlags,
  PUBLIC_KEY,
  type PublicKeyOptions,
  patchOf,
} from './passport-fields.ts';
import { passportImportCommand } from './passport-import.ts';
import { passportReplayCommand } from './passport-replay.ts';
import { passportSignCommands } from './passport-sign.ts';
import { passportStateCommands } from './passport-state.ts';

/** The number of members to read. The command assumes that an account with more members has enough approvers. */
const LIMIT = 100;

/** Returns the passport. Warns if no member of the account can complete an approval that the passport requires. */
async function warnOfFewApprovers<Saved extends Pick<Passport, 'approval'>>(
  { members, account }: Pick<Backend, 'members' | 'account'>,
  passport: Saved,
): Promise<Saved> {
  const { approval } = passport;
  if (approval === undefined) return passport;
  const { count: neededCount = 1, by = 'anyone' } = approval;
  // The passport is saved: a list that cannot be read is no failure of the command.
  const page = await members.list({ status: 'active', limit: LIMIT }).catch(() => undefined);
  if (page === undefined || page.data.length === 0 || page.has_more) return passport;
  const self = by === 'another' ? (await account().catch(() => undefined))?.member?.id : undefined;
  const deciding = page.data.filter(({ id, role }) => DECIDING_ROLES.includes(role) && id !== self).length;
  if (deciding >= neededCount) return passport;
  const people = by === 'another' ? 'other people' : 'people';
  printError(
    `agent-identity: Nobody can complete an approval of this passport: it needs ${neededCount} ${people} who may approve, and the account has ${deciding}. Give members the role approver, admin or owner.`,
  );
  return passport;
}

const AGENT = 'did:web:example.com:agents:shopper';
const FAMILY = { group: 'passport', parameters: { agent_id: { help: AGENT_ID.agent_id, example: AGENT } } };

interface PatchOptions extends PatchFlags {
  readonly ifMatch?: number;
  readonly ifNarrower?: true;
  readonly approvalId?: string;
}

const CREATE: CliCommand = accountCommand({
  name: 'create',
  summary: 'issue a passport from a JSON file, flags or both',
  arguments: {
    file: new Argument('[file]', 'JSON file with the fields of the passport, or - for stdin'),
  },
  fields: FIELDS,
  options: [PUBLIC_KEY],
  examples: [
    'agent-identity passport create passport.json',
    `agent-identity passport create --domain example.com --agent-name shopper \\
      --allowed-actions payments.create --monetary-actions payments.create \\
      --monetary-limit-per-txn 100 --currency EUR`,
  ],
  async prepare(input, options: PublicKeyOptions, { file }) {
    const fields = { ...input, ...(await keysOf(options)) };
    return { ...(file !== undefined && (await readJsonFile(file))), ...fields } as PassportInput;
  },
  call: async (backend, _args, input: PassportInput) =>
    warnOfFewApprovers(backend, await backend.passports.create(input)),
  text: ({ agent_id }) => `Issued ${visible(agent_id)}`,
});

const UPDATE: CliCommand = accountCommand({
  name: 'update',
  summary: 'change a passport with a JSON Merge Patch, flags or both',
  arguments: {
    ...AGENT_ID,
    file: new Argument('[file]', 'JSON file with the fields to change, or - for stdin; null removes a field'),
  },
  fields: CHANGEABLE,
  options: [
    ...PATCH_OPTIONS,
    new Option(
      '--if-match <version>',
      'make the change only if the passport still has this version, which `passport show` prints',
    ).argParser(readVersion),
    new Option(
      '--if-narrower',
      'make the change only if it allows no intent that the present passport denies; otherwise exit with 1',
    ),
    new Option(
      '--approval-id <id>',
      'id of the approval for exactly this change; if a change needs an approval, the command fails and prints this id',
    ),
  ],
  notes:
    'A flag or a field of the file replaces the whole value of this field in the passport, even if the value is a list.',
  examples: [
    `agent-identity passport update ${AGENT} --monetary-limit-per-txn 50 --if-match 1`,
    `agent-identity passport update ${AGENT} --remove expires-at --if-narrower`,
    `echo '{ "metadata": { "team": "till" } }' | agent-identity passport update ${AGENT} -`,
  ],
  async prepare(flags, options: PatchOptions, { file }) {
    const patch = await patchOf(flags, options, file);
    if (Object.keys(patch).length > 0) return patch;
    throw usageError('Name what to change: a file, flags such as --allowed-actions, or --remove.');
  },
  async call(backend, { agent_id }, patch: PassportPatch, { ifMatch, ifNarrower, approvalId }: PatchOptions) {
    const savedPassport = await backend.passports.update(agent_id, patch, {
      ...(ifMatch !== undefined && { ifVersion: [ifMatch] }),
      ...(ifNarrower !== undefined && { ifNarrower }),
      ...(approvalId !== undefined && { approvalId }),
    });
    return patch.approval === undefined ? savedPassport : warnOfFewApprovers(backend, savedPassport);
  },
  text: ({ agent_id, version }) => `${visible(agent_id)} is at version ${version}.`,
});

export const passportCommands: CommandGroup = {
  name: 'passport',
  summary: 'manage passports, which say what agents may do',
  commands: [
    ...commandsOf(passportOperations, FAMILY, {
      create: CREATE,
      list: {
        flags: {
          status: '<status> list only passports that now have this status',
          domain: '<domain> list only passports of this domain',
          parent_agent_id: '--parent <agent_id> list only the child agents of this agent',
          managed_by: '<set> list only passports of this set of `apply --set`',
          owner: '<owner> list only passports of this owner',
          unused_days: unusedOption('passports whose agents got no verdict'),
        },
        example: '--status suspended',
        columns: {
          AGENT: 'agent_id',
          STATUS: 'status',
          LIMIT: limitOf,
          VERSION: 'version',
          UPDATED: 'updated_at',
        },
      },
      get: { example: '--json > passport.json' },
      update: UPDATE,
      versions: {
        summary: 'list the versions of a passport and their authors',
        example: '--json',
        columns: {
          VERSION: 'version',
          STATUS: 'status',
          LIMIT: limitOf,
          CHANGED: 'changed_at',
          BY: 'changed_by',
        },
      },
      budgets: {
        summary: 'show the spent, reserved and remaining part of each budget',
        flags: {
          environment:
            '<environment> environment whose budgets to show; API keys of live and test spend from separate budgets (default: live)',
        },
        columns: {
          BUDGET: 'name',
          WINDOW: 'window',
          OF: ({ limit, count, unit }) => `${limit ?? count}${unit === undefined ? '' : ` ${unit}`}`,
          SPENT: 'spent',
          HELD: 'held',
          LEFT: 'remaining',
          RESETS: ({ resets_at }) => resets_at ?? 'never',
        },
      },
      effective: false,
      try: false,
    }),
    passportDiffCommand,
    accountCommand({
      name: 'effective',
      summary: 'show what a passport and its parents allow together',
      arguments: AGENT_ID,
      examples: [`agent-identity passport effective ${AGENT}-child`],
      call: ({ passports }, { agent_id }) => passports.effective(agent_id),
    }),
    passportReplayCommand,
    ...passportStateCommands,
    ...passportSignCommands,
    passportExportCommand,
    passportImportCommand,
  ],
};

function limitOf(result: {
  readonly monetary_limit_per_txn: unknown;
  readonly currency?: string | null;
}): string {
  return `${result.monetary_limit_per_txn} ${result.currency ?? ''}`.trim();
}

function readVersion(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a version, such as 1.');
}

/** The commands of members: the people of an account. */
import { Argument } from 'commander';
import { ROLES } from '../../../src/http/index.ts';
import { memberOperations } from '../../../src/people/operations.ts';
import type { Backend } from '../backend/methods.ts';
import { firstRecords } from '../backend/pages.ts';
import { usageError } from '../output/error.ts';
import { visible } from '../output/terminal.ts';
import type { CommandGroup } from './command.ts';
import { commandsOf } from './from-operations.ts';

const FAMILY = {
  group: 'member',
  parameters: {
    id: {
      name: 'member',
      help: 'id of the member, which begins with mem_, or the e-mail address of the member',
      example: 'ben@example.com',
      find: idOf,
    },
  },
  isBothWays: true,
};
const ROLE = new Argument(
  '<role>',
  'role of the member; a viewer reads, an approver also approves, an editor changes passports and keys, an admin can do both, and an owner also manages members',
).choices(ROLES);
const LINK =
  'The command prints a token, which you cannot read again later. The sign-in link is the URL of the dashboard, then #/join/ and the token.';

export const memberCommands: CommandGroup = {
  name: 'member',
  summary: 'manage the members of an account',
  commands: commandsOf(memberOperations, FAMILY, {
    list: {
      flags: { status: '<status> list only members with this status (default: all except removed)' },
      columns: {
        ID: 'id',
        ROLE: 'role',
        STATUS: 'status',
        LOGIN: 'login',
        'E-MAIL': 'email',
        NAME: 'name',
        CREATED: 'created_at',
      },
    },
    invite: {
      summary: 'invite a person and print the token of the sign-in link',
      arguments: { role: ROLE },
      flags: {
        email: '--address <email> e-mail address for sign-in (default: the person chooses an address)',
        name: '<name> display name, 1 to 100 characters',
      },
      notes: LINK,
      example: 'approver --address ben@example.com',
      record: ({ member, link }) => ({ ...member, ...link }),
    },
    link: {
      notes: `Use the link for a member who lost the password. The link is valid for 24 hours, or for 7 days if the member has not yet accepted the invitation. ${LINK}`,
    },
    update: {
      name: 'role',
      summary: 'change the role of a member',
      arguments: { role: ROLE },
      flags: { name: false },
      example: 'editor',
    },
    remove: {
      summary: 'remove a member, but keep the API keys of the member valid',
      flags: {
        revoke_keys:
          'also revoke the API keys that the member created; they belong to the account and stay valid otherwise',
      },
      example: '--revoke-keys',
      record: ({ id }) => ({ id, status: 'removed' }),
      text: ({ id }) => `${visible(id)} is removed.`,
    },
    endSessions: {
      summary: 'log a member out at once, in every process of the service',
      text: ({ id }) => `The sessions of ${visible(id)} are ended.`,
    },
  }),
};

/**
 * Returns the id of the member with this e-mail address, or any other text unchanged. If an invitation and an active
 * member have the same address, the command acts on neither.
 */
async function idOf({ members }: Pick<Backend, 'members'>, member: string): Promise<string> {
  if (!member.includes('@')) return member;
  const { data } = await firstRecords(members.list);
  const namedMembers = data.filter(({ email }) => email === member.toLowerCase());
  if (namedMembers.length > 1) {
    const ids = namedMembers.map(({ id, role, status }) => `${id} (${status}, ${role})`).join(' and ');
    throw usageError(`The address ${member} names more than one member: ${ids}. Use the id.`);
  }
  // The service answers that there is no such member.
  return namedMembers[0]?.id ?? member;
}

/** The commands of members: the people of an account. */
import { Argument, Option } from 'commander';
import type { MemberInput, MemberQuery } from '../../../src/client.ts';
import { ROLES, type Role } from '../../../src/http/index.ts';
import type { Backend } from '../backend/methods.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { usageError } from '../output/error.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { accountCommand, bothWays } from './answering.ts';
import type { CommandGroup } from './command.ts';

const MEMBER = { member: 'id of the member, which begins with mem_, or the e-mail address of the member' };
const LINK =
  'The command prints a token, which you cannot read again later. The sign-in link is the URL of the dashboard, then #/join/ and the token.';

export const memberCommands: CommandGroup = {
  name: 'member',
  summary: 'manage the members of an account',
  commands: [
    accountCommand({
      name: 'list',
      summary: 'list the members, newest first',
      fields: {
        status: new Option(
          '--status <status>',
          'list only members with this status (default: all except removed)',
        ).choices(['invited', 'active', 'removed']),
      },
      options: [limitOption()],
      examples: bothWays('agent-identity member list'),
      call: ({ members }, _args, query: MemberQuery, options: LimitOptions) =>
        firstRecords((page) => members.list({ ...query, ...page }), options),
      text: ({ data }) =>
        table([
          ['ID', 'ROLE', 'STATUS', 'LOGIN', 'E-MAIL', 'NAME', 'CREATED'],
          ...data.map(({ id, role, status, login, email, name, created_at }) => {
            return [id, role, status, login ?? '', email ?? '', name ?? '', created_at];
          }),
        ]),
    }),
    accountCommand({
      name: 'invite',
      summary: 'invite a person and print the token of the sign-in link',
      arguments: { role: roleArgument() },
      fields: {
        email: new Option(
          '--address <email>',
          'e-mail address for sign-in (default: the person chooses an address)',
        ),
        name: new Option('--name <name>', 'display name, 1 to 100 characters'),
      },
      notes: LINK,
      examples: bothWays('agent-identity member invite approver --address ben@example.com'),
      async call({ members }, { role }, input: Omit<MemberInput, 'role'>) {
        const { member, link } = await members.invite({ ...input, role: role as Role });
        return { ...member, ...link };
      },
    }),
    accountCommand({
      name: 'link',
      summary: 'create a sign-in link for a member',
      arguments: MEMBER,
      notes: `Use the link for a member who lost the password. The link is valid for 24 hours, or for 7 days if the member has not yet accepted the invitation. ${LINK}`,
      examples: bothWays('agent-identity member link ben@example.com'),
      call: async ({ members }, { member }) => members.link(await idOf(members, member)),
    }),
    accountCommand({
      name: 'role',
      summary: 'change the role of a member',
      arguments: { ...MEMBER, role: roleArgument() },
      examples: bothWays('agent-identity member role ben@example.com editor'),
      call: async ({ members }, { member, role }) =>
        members.update(await idOf(members, member), { role: role as Role }),
    }),
    accountCommand({
      name: 'remove',
      summary: 'remove a member, but keep the API keys of the member valid',
      arguments: MEMBER,
      fields: {
        revoke_keys: new Option(
          '--revoke-keys',
          'also revoke the API keys that the member created; they belong to the account and stay valid otherwise',
        ),
      },
      examples: bothWays('agent-identity member remove ben@example.com --revoke-keys'),
      async call({ members }, { member }, removal: { readonly revoke_keys?: boolean }) {
        const id = await idOf(members, member);
        await members.remove(id, removal);
        return { id, status: 'removed' };
      },
      text: ({ id }) => `${visible(id)} is removed.`,
    }),
    accountCommand({
      name: 'end-sessions',
      summary: 'log a member out at once, in every process of the service',
      arguments: MEMBER,
      examples: bothWays('agent-identity member end-sessions ben@example.com'),
      async call({ members }, { member }) {
        const id = await idOf(members, member);
        await members.endSessions(id);
        return { id };
      },
      text: ({ id }) => `The sessions of ${visible(id)} are ended.`,
    }),
  ],
};

function roleArgument(): Argument {
  return new Argument(
    '<role>',
    'role of the member; a viewer reads, an approver also approves, an editor changes passports and keys, an admin can do both, and an owner also manages members',
  ).choices(ROLES);
}

/**
 * Returns the id of the member with this e-mail address, or any other text unchanged. If an invitation and an active
 * member have the same address, the command acts on neither.
 */
async function idOf(members: Backend['members'], member: string): Promise<string> {
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

/** Commands that follow from the rows of tables of operations. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { answerCommand } from '../../adapters/cli/commands/answering.ts';
import { addCommands } from '../../adapters/cli/commands/command.ts';
import { commandsOf, type Family } from '../../adapters/cli/commands/from-operations.ts';
import { COMMANDS } from '../../adapters/cli/program.ts';
import type { OperationTable, TableOf } from '../../src/http/index.ts';
import { PAGE } from '../../src/operations/parameters.ts';
import { MEMBERS } from '../../src/operations/roles.ts';

const SRC = join(import.meta.dirname, '../../src');

/** The operations whose command is written by hand, or that have none. */
const WITHOUT: Readonly<Record<string, string>> = {
  'passports.create': 'passport create',
  'passports.update': 'passport update',
  'passports.effective': 'passport effective',
  'passports.sign': 'passport sign',
  'passports.replay': 'passport replay',
  'passports.purge': 'passport purge',
  'passports.try': 'none',
  'domains.list': 'domain list',
  'domains.check': 'domain prove',
  'domains.release': 'domain release',
  'verifications.receipt': 'verifications receipt',
  'verifications.csv': 'verifications',
  'audit.csv': 'audit',
  'evidence.state': 'log show',
  'evidence.entries': 'log export',
  'subjects.erase': 'subject erase',
  'keys.get': 'none',
  '.account': 'none',
  '.changePassword': 'none',
  '.deleteAccount': 'none',
};

interface Gadget {
  readonly id: string;
  readonly tags: readonly string[];
  readonly owner: string | null;
}

interface Gadgets {
  list(query?: {
    readonly color?: string;
    readonly limit?: number;
  }): Promise<{ readonly data: readonly Gadget[]; readonly next_cursor: null }>;
  changeRole(id: string, patch: { readonly role?: string; readonly name?: string }): Promise<Gadget>;
  remove(id: string): Promise<void>;
}

const row = { roles: MEMBERS, status: 200, returns: 'It.' } as const;
const gadgets: TableOf<Gadgets, 'gadgets'> = {
  room: 'gadgets',
  tag: 'Service',
  operations: {
    list: {
      ...row,
      http: 'GET /gadgets',
      summary: 'List the gadgets',
      query: [{ name: 'color', description: 'Only of it.', schema: { enum: ['red', 'blue'] } }, ...PAGE],
    },
    changeRole: {
      ...row,
      http: 'PATCH /gadgets/{id}',
      summary: 'Change the role of a gadget',
      body: 'MemberPatch',
    },
    remove: { ...row, http: 'DELETE /gadgets/{id}', summary: 'Remove a gadget', status: 204 },
  },
};

const calls: unknown[] = [];
const gadget: Gadget = { id: 'g1', tags: ['a', 'b'], owner: null };
const room: Gadgets = {
  async list(query) {
    calls.push(['list', query]);
    return { data: [gadget], next_cursor: null };
  },
  async changeRole(id, patch) {
    calls.push(['changeRole', id, patch]);
    return gadget;
  },
  async remove(id) {
    calls.push(['remove', id]);
  },
};

const FAMILY: Family = {
  group: 'gadget',
  create: ({ print: _, ...spec }) =>
    answerCommand({ ...spec, call: (_command, ...rest) => spec.call({ gadgets: room } as never, ...rest) }),
};

/** Runs a command of the made-up table, and returns its output. */
async function output(
  overrides: Parameters<typeof commandsOf<Gadgets>>[2],
  ...args: readonly string[]
): Promise<string> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  const commands = commandsOf(gadgets, FAMILY, overrides);
  addCommands(program, { name: 'gadget', summary: 'manage gadgets', commands });
  try {
    await program.parseAsync(['gadget', ...args], { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return text;
}

afterEach(() => {
  calls.length = 0;
});

test('a row without an override gives a command with its arguments, flags and choices', async () => {
  const names = commandsOf(gadgets, FAMILY, {}).map(({ name, summary }) => [name, summary]);
  expect(names).toEqual([
    ['list', 'list the gadgets'],
    ['change-role', 'change the role of a gadget'],
    ['remove', 'remove a gadget'],
  ]);
  const [list] = commandsOf(gadgets, FAMILY, {});
  expect(list?.options?.map(({ flags, description }) => [flags, description])).toEqual([
    ['--color <value>', 'only of it'],
    ['--limit <number>', 'the most records to print, 1 to 10000'],
    ['--json', 'print only the record, as JSON'],
  ]);
  const printed = await output({}, 'change-role', 'g1', '--role', 'viewer', '--name', 'x', '--json');
  expect(JSON.parse(printed)).toEqual(gadget);
  expect(await output({}, 'list', '--color', 'red', '--limit', '7', '--json')).toContain('"g1"');
  expect(await output({}, 'remove', 'g1')).toBe('id  g1\n');
  expect(calls).toEqual([
    ['changeRole', 'g1', { role: 'viewer', name: 'x' }],
    ['list', { color: 'red', limit: 7 }],
    ['remove', 'g1'],
  ]);
  await expect(output({}, 'list', '--color', 'green')).rejects.toThrow('Allowed choices are red, blue.');
});

test('an override sets the name, an argument, a flag, the columns and the text', async () => {
  const overrides: Parameters<typeof commandsOf<Gadgets>>[2] = {
    remove: { name: 'delete', text: ({ id }) => `${id} is gone.` },
    changeRole: {
      name: 'role',
      arguments: { role: 'the new role' },
      flags: { name: '--title <text> the new name' },
    },
    list: { flags: { color: false }, columns: { ID: 'id', TAGS: 'tags', OWNER: 'owner' } },
  };
  expect(commandsOf(gadgets, FAMILY, overrides).map(({ name }) => name)).toEqual(['delete', 'role', 'list']);
  expect(await output(overrides, 'delete', 'g1')).toBe('g1 is gone.\n');
  await output(overrides, 'role', 'g1', 'editor', '--title', 'y');
  expect(calls.at(-1)).toEqual(['changeRole', 'g1', { role: 'editor', name: 'y' }]);
  expect(await output(overrides, 'list')).toBe('ID  TAGS  OWNER\ng1  a,b\n');
  await expect(output(overrides, 'list', '--color', 'red')).rejects.toThrow('unknown option');
  expect(commandsOf(gadgets, FAMILY, { list: false, remove: false })).toHaveLength(1);
});

test('every operation gives a command, or is in the list of exceptions', async () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const modules: object[] = await Promise.all(
    files.filter((file) => file.endsWith('/operations.ts')).map((file) => import(join(SRC, file))),
  );
  const tables: OperationTable[] = modules.flatMap((module) => Object.values(module));
  const commands = COMMANDS.flatMap((spec) => ('commands' in spec ? spec.commands : [spec]));
  const derived = new Set(commands.map(({ operation }) => operation));
  const missing = tables.flatMap(({ room, operations }) =>
    Object.entries(operations)
      .filter(([, operation]) => !derived.has(operation))
      .map(([method]) => `${room}.${method}`),
  );
  expect(missing.sort()).toEqual(Object.keys(WITHOUT).sort());
  const words = COMMANDS.flatMap((spec) =>
    'commands' in spec ? spec.commands.map(({ name }) => `${spec.name} ${name}`) : [spec.name],
  );
  const named = Object.values(WITHOUT).filter((name) => name !== 'none');
  expect(named.filter((name) => !words.includes(name))).toEqual([]);
});

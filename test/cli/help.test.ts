import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../adapters/cli/program.ts';
import { run } from '../support/command.ts';

/** Every command by its words, such as `passport create`. */
function commandsOf(command: Command, words: readonly string[] = []): (readonly [string, Command])[] {
  const below = command.commands.flatMap((child) => commandsOf(child, [...words, child.name()]));
  return [[words.join(' '), command] as const, ...below];
}

const commands = commandsOf(createProgram());

test('has every command of the contract', () => {
  const isRunnable = (words: string, { commands: below, options }: Command) =>
    below.length === 0 || (words !== '' && options.length > 0);
  const runnable = commands.filter(([words, command]) => isRunnable(words, command)).map(([words]) => words);
  expect(runnable.sort()).toEqual([
    'account create',
    'account delete',
    'account disable',
    'account enable',
    'account list',
    'account password',
    'account plan',
    'account show',
    'agent-key generate',
    'analytics',
    'apply',
    'approval approve',
    'approval list',
    'approval reject',
    'approval show',
    'audit',
    'bench',
    'decide',
    'did export',
    'doctor',
    'domain did',
    'domain list',
    'domain prove',
    'domain release',
    'domain transfer',
    'events tail',
    'export',
    ...['hook', 'hook check', 'hook install', 'hook serve', 'hook try'],
    'intent sign',
    'inventory',
    'journal export',
    'key create',
    'key list',
    'key revoke',
    'key rotate',
    'key update',
    'log export',
    'log off',
    'log restart',
    'log show',
    'log verify',
    'mcp',
    'mcp-guard',
    'member end-sessions',
    'member invite',
    'member link',
    'member list',
    'member remove',
    'member role',
    'migrate',
    'openapi',
    'passport budgets',
    'passport check',
    'passport create',
    'passport diff',
    'passport effective',
    'passport export',
    'passport import',
    'passport list',
    'passport purge',
    'passport reinstate',
    'passport replay',
    'passport revoke',
    'passport show',
    'passport sign',
    'passport suspend',
    'passport update',
    'passport versions',
    'reference',
    'serve',
    'signing-key export',
    'signing-key list',
    'signing-key reseal',
    'signing-key revoke',
    'signing-key rotate',
    'spend commit',
    'spend extend',
    'spend release',
    'spend show',
    'subject erase',
    'token check',
    'token get',
    'verifications',
    'verifications receipt',
    'verifier',
    'verify',
    'webhook create',
    'webhook delete',
    'webhook deliveries',
    'webhook list',
    'webhook redeliver',
    'webhook rotate',
    'webhook show',
    'webhook test',
    'webhook update',
    'why-denied',
  ]);
});

test.each(commands)('agent-identity %s --help names every flag and an example', async (words, command) => {
  const args = words.split(' ').filter((word) => word !== '');
  const { code, stdout, stderr } = await run([...args, '--help'], { cwd: '/' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const { flags, envVar } of command.options) {
    expect(stdout).toContain(flags);
    if (envVar !== undefined) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`env: ${envVar}`);
  }
  if (command.commands.length === 0) expect(stdout).toContain('$ agent-identity');
});

test('serve --help lists every setting with its variable and its default', async () => {
  const { stdout } = await run(['serve', '--help'], { cwd: '/' });
  const text = stdout.replaceAll(/\s+/g, ' ');
  for (const [variable, value] of [
    ['PORT', '3000'],
    ['HOST', '"127.0.0.1"'],
    ['AGENT_IDENTITY_STORAGE', '"sqlite:./agent-identity.db"'],
    ['AGENT_IDENTITY_EMAIL', '"admin@localhost"'],
    ['AGENT_IDENTITY_REGISTRATION', '"closed"'],
    ['AGENT_IDENTITY_CONSISTENCY', '"default"'],
    ['AGENT_IDENTITY_JOURNAL', '"batched"'],
    ['AGENT_IDENTITY_RETENTION_DAYS', '90'],
    ['AGENT_IDENTITY_RATE_LIMITS', '"on"'],
    ['AGENT_IDENTITY_DEFAULT_PLAN', '"starter"'],
    ['AGENT_IDENTITY_TRUST_PROXY', '0'],
    ['AGENT_IDENTITY_LOG', '"text"'],
  ]) {
    expect(text).toContain(`default: ${value}, env: ${variable})`);
  }
  for (const variable of ['AGENT_IDENTITY_PASSWORD', 'AGENT_IDENTITY_SECRET'])
    expect(text).toContain(variable);
});

test.each(['--version', '-V'])('%s prints the version of the package', async (flag) => {
  expect(await run([flag], { cwd: '/', env: { AGENT_IDENTITY_STORAGE: '' } })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

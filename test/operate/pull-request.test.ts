/** The workflow for GitHub: its commands run against a service that serves. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { createAdminClient } from '../../src/client.ts';
import type { Scope } from '../../src/records.ts';
import { root } from '../readme/run.ts';
import { CLI, GIVEN, openFolder, start, startServe } from '../support/process.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly if: string;
  readonly environment?: string;
  readonly steps: readonly Step[];
}

const workflow: {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
} = parse(readFileSync(join(root, 'examples/operate/github-actions.yml'), 'utf8'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** A repository with a folder of passports, and a service. */
async function openRepository() {
  const { folder, remove } = openFolder();
  const serving = await startServe({ cwd: folder, env: GIVEN });
  onTestFinished(async () => {
    await serving.stop();
    remove();
  });
  const baseUrl = `${serving.origin}/api`;
  const owner = { email: 'admin@localhost', password: GIVEN.AGENT_IDENTITY_PASSWORD };
  const admin = createAdminClient({ baseUrl, ...owner });
  const end = new Date(Date.now() + 86_400_000).toISOString();
  const keyOf = async (...scopes: Scope[]): Promise<string> =>
    (await admin.keys.create({ name: 'ci', scopes, expires_at: end })).key;
  const keys = { PLAN_KEY: await keyOf('passports:read'), APPLY_KEY: await keyOf('passports:propose') };
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'agents'));
  const command = join(folder, 'bin/agent-identity');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
  chmodSync(command, 0o755);
  const fields = { domain: 'example.com', agent_name: 'shopper', allowed_actions: ['pay'] };
  const write = (monetary_limit_per_txn: number): void =>
    writeFileSync(join(folder, 'agents/shopper.json'), JSON.stringify({ ...fields, monetary_limit_per_txn }));
  write(100);
  await admin.passports.create({ ...fields, monetary_limit_per_txn: 100, managed_by: 'main' });

  /** Runs a job as GitHub does, without the steps of others: bash with -e, values in place of expressions. */
  async function runJob(name: string) {
    const values: Readonly<Record<string, string>> = {
      'vars.SERVICE_URL': baseUrl,
      'secrets.PLAN_KEY': keys.PLAN_KEY,
      'secrets.APPLY_KEY': keys.APPLY_KEY,
    };
    const steps = workflow.jobs[name]?.steps.filter(({ run = 'npm ' }) => !run.startsWith('npm ')) ?? [];
    expect(steps).toHaveLength(1);
    const [{ run = '', env = {} } = {}] = steps;
    const filled = Object.entries(env).map(([key, value]) => [
      key,
      value.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, expression: string) => values[expression] ?? 'missing'),
    ]);
    const script = `export PATH="${folder}/bin:$PATH"\n${run}`;
    return start('bash', ['-e', '-c', script], { cwd: folder, env: Object.fromEntries(filled) }).ended;
  }
  return { admin, write, runJob };
}

const AGENT = 'did:web:example.com:agents:shopper';

test('a pull request shows its plan and changes nothing; main applies what narrows, and asks for the rest', async () => {
  const { admin, write, runJob } = await openRepository();
  const limit = async () => (await admin.passports.get(AGENT)).monetary_limit_per_txn;
  expect(await runJob('plan')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 unchanged'),
    stderr: '',
  });
  write(50);
  const plan = await runJob('plan');
  expect(plan).toMatchObject({ code: 0, stderr: '' });
  expect(plan.stdout).toContain('~ monetary_limit_per_txn: 100 -> 50');
  expect(await limit()).toBe(100);
  expect(await runJob('apply')).toMatchObject({ code: 0, stderr: '' });
  expect(await limit()).toBe(50);
  write(500);
  const waits = await runJob('apply');
  expect(waits.code).toBe(5);
  expect(waits.stdout).toContain(`waits ${AGENT}`);
  expect(await limit()).toBe(50);
});

test('a plan that cannot be made fails, and its key changes nothing', async () => {
  const { admin, write, runJob } = await openRepository();
  write(-1);
  expect(await runJob('plan')).toMatchObject({ code: 1, stderr: expect.stringContaining('shopper.json') });
  const { data } = await admin.keys.list();
  for (const { id } of data) await admin.keys.revoke(id);
  write(50);
  expect(await runJob('plan')).toMatchObject({ code: 1, stdout: '' });
});

test('the workflow installs this version, gives each job its own key, and the run of a fork gets no right to write', () => {
  const { plan, apply } = workflow.jobs;
  for (const job of [plan, apply]) {
    const [checkout, install] = job?.steps ?? [];
    expect(checkout).toEqual({ uses: 'actions/checkout@v4' });
    expect(install?.run).toBe(`npm install --global agent-identity-service@${version} yaml@2`);
  }
  expect([plan?.if, apply?.if]).toEqual([
    "github.event_name == 'pull_request'",
    "github.event_name == 'push'",
  ]);
  expect(JSON.stringify(plan)).not.toContain('APPLY_KEY');
  expect(apply?.environment).toBe('agents');
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
});

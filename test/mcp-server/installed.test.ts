/** `agent-identity mcp` of the installed package, which brings no package of MCP. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../readme/run.ts';
import { installPacked } from '../support/packed.ts';
import { start } from '../support/process.ts';
import { openDesk, serveDesk } from './desk.ts';

const readManifest = (folder: string): { readonly name: string; readonly dependencies?: object } =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const { name, dependencies = {} } = readManifest('.');
const SDK = '@modelcontextprotocol/server';

test('exits with 2 and names the package that is missing, and serves once it is installed', async () => {
  const desk = await openDesk();
  const env = { AGENT_IDENTITY_API_KEY: await desk.keyOf(['passports:read']) };
  const url = await serveDesk(desk);
  const { folder } = await installPacked(Object.keys(dependencies));
  const args = [join(folder, 'node_modules', name, 'dist/cli.js'), 'mcp', '--url', url];
  const options = { cwd: folder, env, input: '' };
  expect(await start(process.execPath, args, options).ended).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'agent-identity: mcp needs a package: npm install @modelcontextprotocol/server@2\n',
  });
  const needed = [SDK, ...Object.keys(readManifest(`node_modules/${SDK}`).dependencies ?? {})];
  for (const one of needed) {
    const link = join(folder, 'node_modules', one);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', one), link, 'junction');
  }
  expect(await start(process.execPath, args, options).ended).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

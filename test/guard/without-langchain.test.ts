import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../readme/run.ts';
import { openFolder, start } from '../support/process.ts';

test('the entry point for LangChain throws an error that names the package to install, if imported and if required', async () => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  for (const name of ['dist', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const entryPoint = JSON.stringify(join(folder, 'dist/guard/langchain.js'));
  const say = 'console.log(error.code, error.message)';
  const script = `
    await import(${entryPoint}).catch((error) => ${say});
    const { createRequire } = await import('node:module');
    try { createRequire(${entryPoint})(${entryPoint}); } catch (error) { ${say}; }`;
  const { stdout } = await start(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder })
    .ended;
  const line = 'invalid_configuration The guard for LangChain needs a package: npm install langchain';
  expect(stdout.trim().split('\n')).toEqual([line, line]);
});

import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { installPacked } from '../support/packed.ts';

const run = promisify(execFile);
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const here = fileURLToPath(new URL('frameworks', import.meta.url));

/**
 * The frameworks whose applications are compiled. The types of all but MCP have errors of their own under
 * `exactOptionalPropertyTypes`.
 */
const FRAMEWORKS = [
  ['ai-sdk', ['ai'], false],
  ['langchain', ['langchain', '@langchain/core'], false],
  ['openai-agents', ['@openai/agents'], false],
  [
    'mcp',
    ['@modelcontextprotocol/sdk', '@modelcontextprotocol/client', '@modelcontextprotocol/server'],
    true,
  ],
] as const;

test.concurrent.each(FRAMEWORKS)(
  'a strict application compiles against our types and the types of %s, without skipLibCheck',
  async (name, packages, exactOptionalPropertyTypes) => {
    const { folder } = await installPacked([...packages, 'zod', '@types/node']);
    await copyFile(join(here, `${name}.ts`), join(folder, 'host.ts'));
    const compilerOptions = {
      ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'], types: ['node'] },
      ...{ module: 'nodenext', moduleResolution: 'nodenext', strict: true, skipLibCheck: false },
      ...{ exactOptionalPropertyTypes, declaration: true, outDir: 'out' },
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'host', type: 'module' }));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['host.ts'] }));
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((failure) => failure);
    expect(stdout).toBe('');
  },
  240_000,
);

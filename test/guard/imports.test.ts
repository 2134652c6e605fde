import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../readme/run.ts';

/** The packages that a built module imports, itself or by its chunks. */
function packagesOf(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  const early = text.matchAll(/^(?:import|export)\b[^;]*?['"]([^'"\n]+)['"];$/gm);
  const later = [...text.matchAll(/\bimport\((?:['"]([^'"\n]+)['"])?/g)];
  expect(later.map(([, specifier]) => specifier)).not.toContain(undefined);
  const imported = [...early, ...later].map(([, specifier = '']) => specifier);
  expect(text).not.toMatch(/\brequire\(/);
  return imported.flatMap((specifier) =>
    specifier.startsWith('.') ? packagesOf(join(dirname(path), specifier)) : [specifier],
  );
}

test.each([
  ['guard', []],
  ['guard/ai-sdk', []],
  ['guard/claude-agent', []],
  ['guard/langchain', ['langchain']],
  ['guard/mcp', []],
  ['guard/openai-agents', []],
])('./%s imports at run time: %j', (entryPoint, packages) => {
  expect(packagesOf(join(root, `dist/${entryPoint}.js`))).toEqual(packages);
});

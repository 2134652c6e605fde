import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';

test('an editor completes our codes, and the type accepts a code of the application', () => {
  const file = join(root, 'test/types/completed.ts');
  const text = `
    import type { Reason } from '../../src/verdict/index.ts';
    export const isOver = (reason: Reason) => reason.code === '';
    export const own: Reason = { code: 'no_gambling', message: 'This shop does not gamble.' };`;
  const options = {
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] },
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023 },
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const content = path === file ? text : ts.sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: ts.sys.readFile,
  });
  expect(service.getSemanticDiagnostics(file)).toEqual([]);
  const between = text.indexOf("''") + 1;
  const offered = service.getCompletionsAtPosition(file, between, {})?.entries.map(({ name }) => name);
  expect(offered).toHaveLength(41);
  expect(offered).toEqual(expect.arrayContaining(['agent_not_found', 'amount_over_limit', 'rule_failed']));
});

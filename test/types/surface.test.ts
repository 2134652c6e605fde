import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';

const FILE = join(root, 'test/types/surface.txt');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
const entries = Object.entries(exports).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [{ name, file: join(root, target.types) }],
);

/** Returns every name of every entry point, one a line, types marked. */
function surface(): string {
  const program = ts.createProgram({
    rootNames: entries.map(({ file }) => file),
    options: {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      skipLibCheck: true,
      noLib: true,
      types: [],
    },
  });
  const checker = program.getTypeChecker();
  const lines = entries.flatMap(({ name, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is no module. Build first.`);
    return checker
      .getExportsOfModule(module)
      .map((symbol) => `${name} ${kindOf(symbol, checker)}${symbol.name}`);
  });
  return `${lines.sort().join('\n')}\n`;
}

function kindOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const { flags } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  return (flags & ts.SymbolFlags.Value) === 0 ? 'type ' : '';
}

test('exports the listed names and no other; UPDATE_SURFACE=1 writes the list', () => {
  const present = surface();
  if (process.env['UPDATE_SURFACE'] === '1') writeFileSync(FILE, present);
  expect(present.split('\n')).toEqual(readFileSync(FILE, 'utf8').split('\n'));
}, 60_000);

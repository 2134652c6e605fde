import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { nodesOf, root } from '../architecture/sources.ts';

/** The entry points of the package with the file of their types, from the root. */
function typedEntryPoints(): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entryPoints = Object.entries<{ readonly types?: string }>(exports);
  return new Map(
    entryPoints.flatMap(([entryPoint, { types }]) => (types === undefined ? [] : [[entryPoint, types]])),
  );
}

/** The built types of every entry point, checked together. */
export interface EntryPoints {
  readonly checker: ts.TypeChecker;
  /** The exports of each entry point, by the declaration behind them. */
  readonly exports: ReadonlyMap<string, ReadonlyMap<ts.Symbol, string>>;
}

/** Reads the built types. */
export function readEntryPoints(): EntryPoints {
  const entryPoints = typedEntryPoints();
  const files = [...entryPoints.values()].map((file) => join(root, file));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const exports = [...entryPoints].map(([entryPoint, file]) => {
    const source = program.getSourceFile(join(root, file));
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing.`);
    const names = checker.getExportsOfModule(module).map((symbol) => {
      return [behind(checker, symbol), symbol.name] as const;
    });
    return [entryPoint, new Map(names)] as const;
  });
  return { checker, exports: new Map(exports) };
}

/** The types of ours that a declaration names. */
export function namedBy(checker: ts.TypeChecker, { declarations = [] }: ts.Symbol): readonly ts.Symbol[] {
  const names = declarations.flatMap((declaration) => [...nodesOf(declaration)].flatMap(typeNameIn));
  return names
    .map((name) => checker.getSymbolAtLocation(name))
    .filter((named) => named !== undefined)
    .map((named) => behind(checker, named))
    .filter(isOurs);
}

/** What an import or a re-export leads to. */
function behind(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function typeNameIn(node: ts.Node): readonly ts.Node[] {
  if (ts.isTypeReferenceNode(node)) return [node.typeName];
  return ts.isExpressionWithTypeArguments(node) ? [node.expression] : [];
}

/** A type parameter is no name of its own. */
function isOurs({ flags, declarations = [] }: ts.Symbol): boolean {
  if (flags & ts.SymbolFlags.TypeParameter) return false;
  return declarations.some((one) => one.getSourceFile().fileName.startsWith(join(root, 'dist')));
}

/** The members of the types of these entry points that no comment explains, each with its type. */
export function unexplained({ exports }: EntryPoints, entryPoints: readonly string[]): readonly string[] {
  const symbols = new Set(entryPoints.flatMap((entryPoint) => [...(exports.get(entryPoint)?.keys() ?? [])]));
  const silent = [...symbols].flatMap(({ name, declarations = [] }) =>
    declarations
      .filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one))
      .flatMap((one) =>
        [...nodesOf(one)]
          .filter(isSilentMember)
          .filter(isOutsideCalls)
          .map((node) => `${name}.${node.name.getText()}`),
      ),
  );
  return [...new Set(silent)].sort();
}

function isSilentMember(node: ts.Node): node is ts.PropertySignature | ts.MethodSignature {
  const isMember = ts.isPropertySignature(node) || ts.isMethodSignature(node);
  // A member with a symbol for its name cannot be typed.
  if (!isMember || ts.isComputedPropertyName(node.name)) return false;
  return ts.getJSDocCommentsAndTags(node).length === 0;
}

/** The parameters of a method are explained with the method. */
function isOutsideCalls(node: ts.Node): boolean {
  return !ts.isParameter(node) && (ts.isSourceFile(node) || isOutsideCalls(node.parent));
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from '@typescript/typescript6';

/** Where another module is named: in an import, a re-export, an `import()` or an `import('…').Type`. */
export interface Import {
  readonly specifier: string;
  /** The file it means, from the root; `undefined` for a package and for Node. */
  readonly file: string | undefined;
  /** The package it means, without what is behind its name; `undefined` for a file and for Node. */
  readonly packageName: string | undefined;
  /** `true` if it takes types alone. */
  readonly isType: boolean;
}

/** A source file, read and parsed. */
export interface Source {
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

/** The root of the project. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** The hand-written sources below the folders, in the order of their paths. */
export function sourcesIn(...folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).map(
        (name) => `${folder}/${name.replaceAll('\\', '/')}`,
      ),
    )
    .filter((path) => /\.(?:m?ts|m?js|tsx)$/.test(path) && !path.endsWith('.generated.ts'))
    .sort()
    .map(readSource);
}

/** Every node of the tree, parents before their children. Walked once: many tests ask for the nodes of the same file. */
export function nodesOf(root: ts.Node): readonly ts.Node[] {
  const known = walked.get(root);
  if (known !== undefined) return known;
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  walked.set(root, nodes);
  return nodes;
}

const walked = new WeakMap<ts.Node, readonly ts.Node[]>();

/** Where a node stands, as `path:line`. */
export function placeOf(source: Source, node: ts.Node): string {
  const start = node.getStart(source.tree);
  return `${source.path}:${source.tree.getLineAndCharacterOfPosition(start).line + 1}`;
}

/** The statements of a function, without those of the functions in it; 0 for any other node. */
export function ownStatements(node: ts.Node): number {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return 0;
  let count = 0;
  const visit = (child: ts.Node): void => {
    if (ts.isFunctionLike(child)) return;
    if (ts.isStatement(child) && !ts.isBlock(child)) count += 1;
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node.body as ts.Node, visit);
  return count;
}

/** The lines with code: imports, exports of others, types and documentation do not count. */
export function codeLines({ tree }: Source): number {
  const lines = new Set<number>();
  const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (UNCOUNTED.some((is) => is(node))) return;
    const children = node.getChildren(tree);
    for (const child of children) visit(child);
    if (children.length > 0 || node.end === node.getStart(tree)) return;
    for (let line = lineAt(node.getStart(tree)); line <= lineAt(node.end); line += 1) lines.add(line);
  };
  for (const statement of tree.statements) visit(statement);
  return lines.size;
}

const UNCOUNTED: readonly ((node: ts.Node) => boolean)[] = [
  ts.isImportDeclaration,
  ts.isExportDeclaration,
  ts.isInterfaceDeclaration,
  ts.isTypeAliasDeclaration,
  ts.isJSDoc,
];

const parsed = new Map<string, Source>();

function readSource(path: string): Source {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(join(root, path), 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports = nodesOf(tree)
    .flatMap((node) => specifierOf(node).map((specifier) => ({ node, specifier })))
    .map(({ node, specifier }) => ({ ...toImport(path, specifier), isType: isTypeOnly(node) }));
  const source = { path, text, tree, imports };
  parsed.set(path, source);
  return source;
}

function specifierOf(node: ts.Node): string[] {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal);
  if (!ts.isCallExpression(node)) return [];
  return node.expression.kind === ts.SyntaxKind.ImportKeyword ? textOf(node.arguments[0]) : [];
}

/** Says whether an import takes types alone: by `import type`, or by `type` before each name. */
function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  const [clause, names] = ts.isImportDeclaration(node)
    ? [node.importClause, node.importClause?.namedBindings]
    : [node as ts.ExportDeclaration, (node as ts.ExportDeclaration).exportClause];
  if (clause?.isTypeOnly) return true;
  if (ts.isImportDeclaration(node) && node.importClause?.name !== undefined) return false;
  const isList = names !== undefined && (ts.isNamedImports(names) || ts.isNamedExports(names));
  return isList && names.elements.length > 0 && names.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function textOf(node: ts.Node | undefined): string[] {
  return node !== undefined && ts.isStringLiteralLike(node) ? [node.text] : [];
}

function toImport(from: string, specifier: string): Omit<Import, 'isType'> {
  if (specifier.startsWith('.')) {
    const file = normalize(join(dirname(from), specifier)).replaceAll('\\', '/');
    return { specifier, file, packageName: undefined };
  }
  if (specifier.startsWith('node:')) return { specifier, file: undefined, packageName: undefined };
  const [scope = '', name = ''] = specifier.split('/');
  return { specifier, file: undefined, packageName: scope.startsWith('@') ? `${scope}/${name}` : scope };
}

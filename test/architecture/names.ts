import { dirname, join } from 'node:path';
import ts from '@typescript/typescript6';
import type { Source } from './sources.ts';

/** A name that an entry point exports. */
export interface ExportedName {
  readonly name: string;
  readonly isType: boolean;
}

/** Returns the exports of an entry point, with the types of every `export type *`. Other statements stand for themselves. */
export function namesOf(entryPoint: Source, sources: readonly Source[] = []): readonly ExportedName[] {
  return entryPoint.tree.statements.flatMap((statement): readonly ExportedName[] => {
    const { exportClause, isTypeOnly, moduleSpecifier } = ts.isExportDeclaration(statement)
      ? statement
      : ({} as Partial<ts.ExportDeclaration>);
    if (exportClause !== undefined && ts.isNamedExports(exportClause))
      return exportClause.elements.map((element) => ({
        name: element.name.text,
        isType: isTypeOnly === true || element.isTypeOnly,
      }));
    const isStar = isTypeOnly === true && exportClause === undefined;
    const specifier =
      moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
    const other = sources.find(({ path }) => path === join(dirname(entryPoint.path), specifier));
    if (!isStar || other === undefined) return [{ name: statement.getText(), isType: false }];
    return exportedFrom(other, sources).map((name) => ({ name, isType: true }));
  });
}

/** Returns the names that `export type *` takes from a file: those that it declares, and those that it lists. */
function exportedFrom(source: Source, sources: readonly Source[]): readonly string[] {
  const { statements } = source.tree;
  const lists = statements.filter(ts.isExportDeclaration);
  const listed = namesOf(
    { ...source, tree: { ...source.tree, statements: ts.factory.createNodeArray(lists) } },
    sources,
  );
  const declared = statements.filter(
    (statement) =>
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  );
  return [...listed.map(({ name }) => name), ...declared.flatMap(declaredNames)];
}

/** Returns the names that a statement declares. */
export function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as { readonly name?: ts.Node };
  return name === undefined ? [] : [name.getText()];
}

/** Returns the file that declares an exported name of a file; follows what the file passes on from other files. */
export function fileOf(name: string, source: Source, sources: readonly Source[]): string | undefined {
  const { statements } = source.tree;
  if (statements.some((statement) => declaredNames(statement).includes(name))) return source.path;
  for (const statement of statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) continue;
    const { exportClause, moduleSpecifier } = statement;
    const listed =
      exportClause !== undefined && ts.isNamedExports(exportClause)
        ? exportClause.elements.find((element) => element.name.text === name)
        : undefined;
    if (exportClause !== undefined && listed === undefined) continue;
    const path = join(dirname(source.path), (moduleSpecifier as ts.StringLiteral).text);
    const other = sources.find((each) => each.path === path);
    const found = other && fileOf((listed?.propertyName ?? listed?.name)?.text ?? name, other, sources);
    if (found !== undefined) return found;
  }
  return undefined;
}

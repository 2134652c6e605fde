import { dirname, join } from 'node:path';
import ts from '@typescript/typescript6';
import type { Source } from './sources.ts';

/** A name that a door exports. */
export interface ExportedName {
  readonly name: string;
  readonly isType: boolean;
}

/** Returns what a door exports, with the types of every `export type *`; other statements stand for themselves. */
export function namesOf(door: Source, sources: readonly Source[] = []): readonly ExportedName[] {
  return door.tree.statements.flatMap((statement): readonly ExportedName[] => {
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
    const other = sources.find(({ path }) => path === join(dirname(door.path), specifier));
    if (!isStar || other === undefined) return [{ name: statement.getText(), isType: false }];
    return namesOf(other, sources).map(({ name }) => ({ name, isType: true }));
  });
}

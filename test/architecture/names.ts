import ts from '@typescript/typescript6';
import type { Source } from './sources.ts';

/** What a door exports; the text of a statement that lists no names stands for them. */
export function namesOf(door: Source): readonly { readonly name: string; readonly isType: boolean }[] {
  return door.tree.statements.flatMap((statement) => {
    const { exportClause, isTypeOnly } = ts.isExportDeclaration(statement) ? statement : {};
    if (exportClause === undefined || !ts.isNamedExports(exportClause))
      return [{ name: statement.getText(), isType: false }];
    return exportClause.elements.map((element) => ({
      name: element.name.text,
      isType: isTypeOnly === true || element.isTypeOnly,
    }));
  });
}

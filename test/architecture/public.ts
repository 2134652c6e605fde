import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { root } from './sources.ts';

/** A method or a function that an entry point exports. */
export interface PublicMember {
  /** The name, such as `Webhooks.create`. */
  readonly name: string;
  readonly node: ts.SignatureDeclaration;
  /** `true` if it has a tag or says that it never fails, or its interface has a tag. */
  readonly isDescribed: boolean;
}

/** A table of operations, with the codes in the tags of the method of each row. */
export interface PublicTable {
  readonly file: string;
  /** The name of the table in the file. */
  readonly name: string;
  readonly codes: ReadonlyMap<string, readonly string[]>;
}

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
const entries = Object.values(exports).flatMap((target) =>
  typeof target === 'string'
    ? []
    : [join(root, target.types.replace('dist/types/', '').replace('.d.ts', '.ts'))],
);
const { options } = ts.getParsedCommandLineOfConfigFile(
  join(root, 'tsconfig.json'),
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(`${messageText}`);
    },
  },
) as ts.ParsedCommandLine;
const program = ts.createProgram(entries, options);
const checker = program.getTypeChecker();

const isOurs = (node: ts.Node): boolean => !node.getSourceFile().fileName.includes('/node_modules/');

/** The declarations that an entry point exports, each once. */
const declarations: readonly ts.Declaration[] = [
  ...new Set(
    entries
      .flatMap((file) => {
        const source = program.getSourceFile(file);
        const module = source && checker.getSymbolAtLocation(source);
        if (module === undefined) throw new Error(`${file} is no module.`);
        return checker.getExportsOfModule(module);
      })
      .flatMap((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .flatMap(({ declarations = [] }) => declarations)
      .filter(isOurs),
  ),
];

export const publicFunctions: readonly PublicMember[] = declarations
  .filter((node) => ts.isFunctionDeclaration(node))
  .map((node) => ({ name: node.name?.text ?? '', node, isDescribed: isDescribed(overloadsOf(node)) }));

export const publicMethods: readonly PublicMember[] = declarations
  .filter((node) => ts.isInterfaceDeclaration(node))
  .flatMap((owner) =>
    owner.members
      .filter((node) => ts.isMethodSignature(node))
      .map((node) => {
        const name = `${owner.name.text}.${node.name.getText()}`;
        return { name, node, isDescribed: tagsOf(owner).length > 0 || isDescribed(documented(owner, node)) };
      }),
  );

export const publicTables: readonly PublicTable[] = program
  .getSourceFiles()
  .filter(isOurs)
  .flatMap((source) => source.statements.filter((node) => ts.isVariableStatement(node)))
  .flatMap(({ declarationList }) => declarationList.declarations)
  .flatMap((node) => {
    const { type, name } = node;
    if (type === undefined || !ts.isTypeReferenceNode(type) || type.typeName.getText() !== 'TableOf')
      return [];
    const methods = checker.getPropertiesOfType(checker.getTypeAtLocation(type.typeArguments?.[0] ?? type));
    const codes = new Map(
      methods.map((method) => [method.name, (method.declarations ?? []).flatMap(codesOf)]),
    );
    return [{ file: node.getSourceFile().fileName, name: name.getText(), codes }];
  });

function isDescribed(declarations: readonly ts.Node[]): boolean {
  const docstrings = declarations.flatMap(ts.getJSDocCommentsAndTags).map((part) => part.getText());
  return /@throws|Never (?:rejects|throws)/.test(docstrings.join().replaceAll(/[\s*]+/g, ' '));
}

function overloadsOf({ name }: ts.FunctionDeclaration): readonly ts.Declaration[] {
  return (name && checker.getSymbolAtLocation(name)?.declarations) ?? [];
}

/** Returns the method, or the methods that it replaces if it has no docstring, as an editor does. */
function documented(owner: ts.InterfaceDeclaration, method: ts.MethodSignature): readonly ts.Declaration[] {
  if (ts.getJSDocCommentsAndTags(method).length > 0) return [method];
  return checker
    .getBaseTypes(checker.getTypeAtLocation(owner) as ts.InterfaceType)
    .flatMap((type) => type.getProperty(method.name.getText())?.declarations ?? []);
}

function codesOf(node: ts.Node): readonly string[] {
  const tags = tagsOf(node);
  const type = ts.isPropertySignature(node) ? node.type : undefined;
  if (tags.length === 0 && type !== undefined && ts.isTypeReferenceNode(type)) {
    const { aliasSymbol } = checker.getTypeAtLocation(type);
    return (aliasSymbol?.declarations ?? []).flatMap(codesOf);
  }
  return tags.flatMap((tag) => /^@throws \{IdentityError\} `(\w+)`/.exec(tag.getText())?.[1] ?? []);
}

function tagsOf(node: ts.Node): readonly ts.JSDocTag[] {
  return ts.getJSDocTags(node).filter(({ tagName }) => tagName.text === 'throws');
}

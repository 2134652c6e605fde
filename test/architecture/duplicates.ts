import ts from '@typescript/typescript6';
import type { Source } from './sources.ts';

/**
 * The places, as `path:line ~ path:line`, where the same run of at least `length` lines begins again. Blank lines,
 * comments, lone punctuation, and the names that are imported or listed by an entry point do not count.
 */
export function repeatedRuns(sources: readonly Source[], length: number): string[] {
  const places = new Map<string, string>();
  return sources.flatMap((source) => {
    const lines = countedLines(source);
    let isRepeated = false;
    return lines.flatMap(({ line }, at) => {
      const run = lines.slice(at, at + length);
      if (run.length < length) return [];
      const text = run.map((one) => one.text).join('\n');
      const place = `${source.path}:${line}`;
      const before = places.get(text);
      const isBegun = before !== undefined && !isRepeated;
      isRepeated = before !== undefined;
      if (before === undefined) places.set(text, place);
      return isBegun ? [`${before} ~ ${place}`] : [];
    });
  });
}

interface Line {
  readonly line: number;
  readonly text: string;
}

function countedLines({ text, tree }: Source): Line[] {
  const listed = new Set(
    tree.statements.filter(isListOfNames).flatMap((statement) => linesOf(tree, statement)),
  );
  return text
    .split('\n')
    .map((line, at) => ({ line: at + 1, text: line.trim() }))
    .filter(({ line, text }) => /\w/.test(text) && !/^(?:\/\/|\/?\*)/.test(text) && !listed.has(line));
}

function isListOfNames(statement: ts.Statement): boolean {
  return ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
}

function linesOf(tree: ts.SourceFile, node: ts.Node): number[] {
  const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
  const first = lineAt(node.getStart(tree));
  return Array.from({ length: lineAt(node.end) - first + 1 }, (_, at) => first + at);
}

/** The sentences of our texts, by kind. */
const MIN_WORDS = 4;
const MIN_WORDS_OF_CELL = 6;
/** Where one sentence or list item ends and the next begins. */
const BETWEEN = /(?<=[.!?])\s+(?=[A-Z"'(])|\n{2,}|\n(?=\s*(?:[-*]|\d+\.)\s)/;

/** Returns the sentences of a text of at least four words. Code counts as one word. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/`[^`]*`/g, 'Code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_]{1,2}(\w[^*_]*)[*_]{1,2}/g, '$1')
    .split(BETWEEN)
    .map((sentence) => sentence.replace(/^\s*(?:[-*>]|\d+\.|#+)\s+/, ''))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.split(' ').length >= MIN_WORDS);
}

/** Returns the sentences of a page, without code and headings; of a table those in longer cells. */
export function sentencesOfPage(page: string): string[] {
  return sentencesOf(
    page
      .replace(/```[\s\S]*?```/g, '\n\n')
      .replace(/^ {4}.*$/gm, '')
      .replace(/<!--[\s\S]*?-->/g, '')
      .replace(/^\|.*$/gm, (row) => `\n\n${longCells(row).join('\n\n')}\n\n`)
      .replace(/^#.*$/gm, '\n\n'),
  );
}

function longCells(row: string): string[] {
  return row.split('|').filter((cell) => cell.trim().split(/\s+/).length >= MIN_WORDS_OF_CELL);
}

/** Returns the sentences of the docstrings of a source, without examples and tags. */
export function sentencesOfDocstrings(source: string): string[] {
  return [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)].flatMap(([, body = '']) =>
    sentencesOf(
      body
        .replace(/^\s*\* ?/gm, '')
        .replace(/@example[\s\S]*$/, '')
        .replace(/^@\w+.*$/gm, '')
        .replace(/@internal/g, ''),
    ),
  );
}

const LITERAL = /(?<![\w'`"\\])(['`])([A-Z][^'`\n\\]*[.?!])\1/g;

/** Returns the sentences in the literals of a source: messages of errors, denials and pages, and log lines. */
export function sentencesOfLiterals(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...code.matchAll(LITERAL)].flatMap(([, , text = '']) =>
    sentencesOf(text.replace(/\$\{[^}]*\}/g, 'Value')),
  );
}

/** Returns the summaries of a source: of endpoints, and of commands in the help. */
export function summariesOf(source: string): string[] {
  return [...source.matchAll(/\bsummary:\s*(['"`])(.*?)\1,/g)].map(([, , text = '']) => text);
}

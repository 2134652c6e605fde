/** One fenced block of a Markdown text. */
export interface Block {
  /** The word behind the fence. */
  readonly language: string;
  readonly text: string;
  /** Line of the fence, from 1. */
  readonly line: number;
  /** What the block is said to print: the `text` or `json` block right behind it. */
  readonly output: Output | undefined;
}

/** What a block is said to print. */
export interface Output {
  readonly language: 'text' | 'json';
  readonly text: string;
}

/** The commands that set the project up: `.ci/run` and a newcomer run them. */
export const SET_UP: readonly string[] = ['npm ci && npm start', 'npm ci && npm test'];

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks, in order. Nothing but blank lines may stand between a block and its output. */
export function blocksOf(markdown: string): Block[] {
  const found = [...markdown.matchAll(FENCE)].map((match) => {
    const [whole, language = '', text = ''] = match;
    return { language, text, start: match.index, end: match.index + whole.length };
  });
  return found.map(({ language, text, start, end }, index) => {
    const next = found[index + 1];
    const isAdjacent = next !== undefined && markdown.slice(end, next.start).trim() === '';
    const output = isAdjacent ? toOutput(next) : undefined;
    return { language, text, line: markdown.slice(0, start).split('\n').length, output };
  });
}

function toOutput({ language, text }: Omit<Output, 'language'> & { language: string }): Output | undefined {
  return language === 'text' || language === 'json' ? { language, text } : undefined;
}

/** The rows of the table below a heading, each as its cells, without the head. */
export function tableBelow(markdown: string, heading: string): string[][] {
  const section = markdown.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Throws unless the text is the one that is promised; `…` in the promise stands for anything on that line. */
export function assertPrinted(printed: string, { language, text }: Output): void {
  const [given, promised] = [printed, text].map((value) =>
    language === 'json' ? pretty(value) : value.trimEnd(),
  );
  const pattern = (promised ?? '').split('…').map(escapeRegExp).join('.*');
  if (new RegExp(`^${pattern}$`).test(given ?? '')) return;
  throw new Error(`It prints\n${given}\nbut is said to print\n${promised}`);
}

/** JSON texts, one per line or one over many lines, laid out alike. */
function pretty(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The pages of documentation in the repository, and where their links lead. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { root } from './run.ts';

/** Made by a tool, not written by us. */
const FOREIGN = new Set(['node_modules', 'coverage']);
const OTHERS = [
  'CHANGELOG.md',
  'SECURITY.md',
  'adapters/storage/FENCING.md',
  'src/journal-format/FORMAT.md',
  'src/http/ERRORS.md',
  'llms.txt',
];

/** The text of a page, by its path from the root of the project. */
export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Is for those who have the repository, not the package. */
const OF_THE_REPOSITORY = 'test/README.md';

/** Every README.md of the package, by its path from the root of the project. */
const readmes: readonly string[] = readmesIn(root)
  .map(pathOf)
  .filter((path) => path !== OF_THE_REPOSITORY)
  .sort();

/** Every page: the READMEs, the changelog, and the pages with names of their own. */
export const pages: readonly string[] = [...readmes, ...OTHERS];

function readmesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return entry.name === 'README.md' ? [path] : [];
    const isOurs = !FOREIGN.has(entry.name) && !entry.name.startsWith('.') && !/^dist(-|$)/.test(entry.name);
    return isOurs ? readmesIn(path) : [];
  });
}

function pathOf(path: string): string {
  return relative(root, path).split(sep).join('/');
}

/** A link from one page to a file of the project. */
export interface Link {
  readonly page: string;
  /** The file, by its path from the root of the project. */
  readonly path: string;
  /** The heading it leads to, as the part of an address. */
  readonly anchor: string | undefined;
}

const LINK = /\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g;

/** The links of a page that lead to files of the project or to its own headings. */
export function linksOf(page: string): Link[] {
  const addresses = [...proseOf(readPage(page)).matchAll(LINK)].map(
    ([, link, source]) => link ?? source ?? '',
  );
  return addresses
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => {
      const [path = '', anchor] = address.split('#');
      return { page, path: path === '' ? page : joined(page, path), anchor };
    });
}

function joined(page: string, path: string): string {
  return normalize(join(dirname(page), path))
    .split(sep)
    .join('/');
}

/** Why a link leads nowhere; undefined where it leads somewhere. */
export function brokenBy({ path, anchor }: Link): string | undefined {
  const file = join(root, path);
  if (!existsSync(file) || !statSync(file).isFile()) return 'there is no such file';
  if (anchor === undefined || anchorsOf(readPage(path)).includes(anchor)) return undefined;
  return `there is no heading #${anchor}`;
}

/** The addresses of the headings, as GitHub makes them. */
function anchorsOf(markdown: string): string[] {
  const counts = new Map<string, number>();
  return [...proseOf(markdown).matchAll(/^#+ +(.*)$/gm)].map(([, heading = '']) => {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
}

/** The text without its code: a `#` there is no heading, and brackets are no link. */
export function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`(?!\])/g, (code) => code.replaceAll(/[[\]()]/g, ''));
}

import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { pages, readPage } from '../readme/pages.ts';
import { root } from '../readme/run.ts';
import { blocksOf } from '../readme/snippets.ts';

const run = promisify(execFile);
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
/** Inside the package, so that its own name leads to its entry points. */
const folder = join(root, '.build', 'client-snippets');
const MODULES = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--skipLibCheck'];
const LIB = ['--lib', 'es2023,esnext.disposable,dom,dom.iterable'];
const STRICT = ['--ignoreConfig', '--noEmit', '--strict', '--allowJs', '--checkJs'];

/** The snippets that a user of a client copies: into TypeScript, too. */
function clientSnippets(): Map<string, string> {
  const found = pages
    .filter((page) => page.endsWith('README.md'))
    .flatMap((page) =>
      blocksOf(readPage(page))
        .filter(({ language }) => language === 'js')
        .filter(
          ({ text }) =>
            page === 'src/client/README.md' || /import \{[^}]*create(Identity|Admin)Client/.test(text),
        )
        .map(({ text, line }) => [`${page.replaceAll('/', '-')}-${line}.mjs`, text] as const),
    );
  return new Map(found);
}

async function mistakesIn(snippets: ReadonlyMap<string, string>): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of snippets) await writeFile(join(folder, name), `${text}\nexport {};\n`);
  const files = [...snippets.keys()];
  const asked = run(process.execPath, [tsc, ...STRICT, ...MODULES, ...LIB, ...files], { cwd: folder });
  return asked.then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

test('every snippet of a client compiles in strict TypeScript', async () => {
  const snippets = clientSnippets();
  expect(snippets.size).toBeGreaterThanOrEqual(5);
  expect(await mistakesIn(snippets)).toBe('');
});

test('a snippet with a wrong option does not', async () => {
  const text =
    "import { createIdentityClient } from 'agent-identity-service/client';\n" +
    "await createIdentityClient({ baseUrl: '', apiKey: process.env.KEY }).approvals.get('x', { signl: 1 });\n";
  const mistakes = await mistakesIn(new Map([['wrong.mjs', text]]));
  expect(mistakes).toContain("'signl' does not exist");
  expect(mistakes).toContain("'string | undefined' is not assignable");
});

/**
 * Builds dist/ from src/ and adapters/.
 *
 * The validators are generated, tsc compiles the sources, the dashboard page is bundled, and rollup bundles the
 * entry points. The types stay one file for each module, as tsc wrote them. The result is made in a fresh folder and then
 * renamed, so that no process imports an incomplete build. `--if-stale` does nothing if dist/ is newer than every
 * source.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { bundlePage, pageModule } from './bundle-page.mjs';
import { compileValidators } from './compile-validators.mjs';
import { copyDeclarations, entryPointsOf } from './declarations.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const stamp = join(dist, '.stamp');
const sources = [
  'src',
  'adapters',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'rollup.config.mjs',
];
/** The bundled dashboard page, which its entry point contains as texts. */
const page = join(root, 'adapters/dashboard/page.generated.ts');

if (process.argv.includes('--if-stale') && existsSync(stamp) && newest(sources) <= statSync(stamp).mtimeMs) {
  process.exit(0);
}
if (!existsSync(page)) writeFileSync(page, pageModule({ html: '', scripts: {}, style: '', icon: '' }));
// The new page has changed its folder, which does not make a source newer than the build.
const startedAt = new Date(Math.max(Date.now(), Math.ceil(statSync(dirname(page)).mtimeMs)));
const work = join(root, '.build', `${process.pid}`);
try {
  mkdirSync(work, { recursive: true });
  await refreshValidators();
  emit();
  if (refresh(page, pageModule(await bundlePage(root, work)))) emit();
  run('rollup', 'dist/bin/rollup', ['-c', '--silent'], { BUILD_FOLDER: work });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  copyDeclarations(work, join(work, 'dist/types'), entryPointsOf(manifest).values());
  // The stamp carries the instant the build began: a source saved meanwhile counts as newer.
  writeFileSync(join(work, 'dist/.stamp'), '');
  utimesSync(join(work, 'dist/.stamp'), startedAt, startedAt);
  swapIn(join(work, 'dist'));
} finally {
  rmSync(work, { recursive: true, force: true });
}

function newest(paths) {
  let latest = 0;
  for (const path of paths) {
    const full = join(root, path);
    const info = statSync(full);
    const inside = info.isDirectory() ? readdirSync(full).map((name) => join(path, name)) : [];
    if (!full.endsWith('.generated.ts')) latest = Math.max(latest, info.mtimeMs, newest(inside));
  }
  return latest;
}

function emit() {
  run('typescript', 'bin/tsc', ['-p', 'src/build', '--outDir', work]);
}

/** Writes the validators of each folder, before the sources that import them are compiled. */
async function refreshValidators() {
  const schemas = join(work, 'requests.mjs');
  const bundle = await rolldown({ input: join(root, 'src/schema/requests.ts') });
  await bundle.write({ file: schemas });
  const { REQUEST_FOLDERS, requestSchemas } = await import(pathToFileURL(schemas).href);
  for (const [folder, text] of Object.entries(compileValidators(requestSchemas, REQUEST_FOLDERS)))
    refresh(join(root, 'src', folder, 'validators.generated.ts'), text);
}

function refresh(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeFileSync(file, text);
  return true;
}

function swapIn(fresh) {
  const old = join(work, 'old');
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
}

function run(name, file, args, env = {}) {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  execFileSync(process.execPath, [join(dirname(manifest), file), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
}

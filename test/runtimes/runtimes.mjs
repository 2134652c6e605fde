/**
 * How each runtime is taken from npm and started: npx keeps it in a folder of its own, so that the project never
 * depends on it. The versions of Bun, Deno and workerd are pinned; Node is the newest of its line.
 */
const BUN = 'bun@1.4.5';
const DENO = 'deno@2.9.6';
const WORKERS = 'miniflare@4.20260426.0';
const DENO_MAY = ['--no-prompt', '--node-modules-dir=manual', '--allow-read', '--allow-env'];

/** What runs without `--only`. */
export const EVERY = ['node@20', 'node@22', 'node@24', 'node@26', 'bun', 'deno', 'workers'];

/**
 * The programs that a runtime goes through: `name`, and the `command` that npx runs in the workplace. `expected`
 * is how the name begins under which the runtime has to report itself: where npm was kept from placing a binary,
 * the shell would take the Node of this machine without a word. Undefined for a runtime that is not known.
 */
export function planOf(runtime, { sqlite }) {
  const file = sqlite ? [`sqlite-${runtime}.db`] : [];
  const [name, version] = runtime.split('@');
  if (name === 'node' && /^\d+(\.\d+){0,2}$/.test(version ?? '')) {
    return plan(runtime, `node ${version}`, ['node', 'smoke.mjs', ...file]);
  }
  if (runtime === 'bun') return plan(BUN, `bun ${versionOf(BUN)}`, ['bun', 'run', 'smoke.mjs', ...file]);
  if (runtime === 'deno') {
    const may = sqlite ? [...DENO_MAY, '--allow-write', '--allow-sys=uid,gid'] : DENO_MAY;
    return plan(DENO, `deno ${versionOf(DENO)}`, ['deno', 'run', ...may, 'smoke.mjs', ...file]);
  }
  if (runtime === 'workers' && !sqlite) return plan(WORKERS, 'workers', ['node', 'workers.mjs']);
  return undefined;
}

function plan(source, expected, command) {
  return { source, expected, command };
}

function versionOf(source) {
  return source.split('@')[1];
}

/** Operators find every event of the service log in the documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}/src/core/README.md`, 'utf8');
/** Matches `event: 'sweep_failed'`, but not the parameter of a function: `(event: 'error', …)`. */
const EVENT = /(?<!\()\bevent: '([a-z]\w*)'/g;

test('the documentation lists every event of the log that is no security event', () => {
  const events = ['src', 'adapters'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => [...readFileSync(`${root}/${folder}/${name}`, 'utf8').matchAll(EVENT)])
      .map(([, event]) => event),
  );
  expect(new Set(events).size).toBeGreaterThan(40);
  expect(events.filter((event) => !page.includes(`\`${event}\``))).toEqual([]);
});

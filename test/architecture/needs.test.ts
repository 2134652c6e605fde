/** A function of the service takes the parts that it uses, so that its parameters say what it needs. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourcesIn } from './sources.ts';

/** A parameter that is the whole service, as `Context` or `Core`. */
const WHOLE = /[(,{]\s*(?:\w+|\{[^{}]*\}): (?:Context|Core)[,)\s]/g;

/** Where a service and its capabilities are opened; and `events`, which passes the whole on to its parts. */
const OPENERS =
  /\/(?:index|open-[\w-]+|create-identity-service|capability)\.ts$|^src\/core\/setup\/|^src\/core\/events\/events\.ts$/;

test('takes a whole Context or Core only where the service is opened', () => {
  const found = sourcesIn('src')
    .filter(({ path }) => !OPENERS.test(path))
    .flatMap(({ path }) =>
      [...readFileSync(path, 'utf8').matchAll(WHOLE)].map(([text]) => `${path} ${text}`),
    );
  expect(found).toEqual([]);
});

test('finds a parameter that is the whole service, and no part of it', () => {
  const isWhole = (text: string): boolean => text.search(WHOLE) !== -1;
  expect(isWhole('function a(context: Context, id: string)')).toBe(true);
  expect(isWhole('function a(\n  { store, clock }: Context,\n')).toBe(true);
  expect(isWhole('function a(core: Core)')).toBe(true);
  expect(isWhole("function a(context: Pick<Context, 'store'>)")).toBe(false);
});

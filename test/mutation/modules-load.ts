import { expect, test } from 'vitest';

/** A mutant that breaks a module fails every file that imports it before a test of it has begun: here one fails. */
const modules = (process.env['MUTATED_FILES'] ?? '').split(' ').filter((path) => path !== '');

test.each(modules)('%s can be loaded', async (path) => {
  expect(await import(/* @vite-ignore */ `../../${path}`)).toBeDefined();
});

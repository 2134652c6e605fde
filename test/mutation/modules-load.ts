/// <reference types="vite/client" />
import { expect, test } from 'vitest';

/** A mutant that breaks a module fails every file that imports it before a test of it has begun: here one fails. */
const mutated = (process.env['MUTATED_FILES'] ?? '').split(' ').filter((path) => path !== '');
// Written so that vitest knows what is imported here: Stryker runs only the test files that lead to a mutant.
const modules = import.meta.glob('../../src/**/*.ts');

test.each(mutated)('%s can be loaded', async (path) => {
  expect(await modules[`../../${path}`]?.()).toBeDefined();
});

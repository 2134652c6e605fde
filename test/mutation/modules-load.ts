import { expect, test } from 'vitest';

interface Vite {
  glob(patterns: readonly string[]): Readonly<Record<string, () => Promise<unknown>>>;
}

/** A mutant that breaks a module fails every file that imports it before a test of it has begun: here one fails. */
const modules = (import.meta as unknown as Vite).glob([
  '../../src/*.ts',
  '../../src/{base,verdict,credential,service/storage}/*.ts',
  '../../src/http/{authenticate,json-number,json-string,read-json}.ts',
]);

test.each(Object.entries(modules))('%s can be loaded', async (_path, load) => {
  expect(await load()).toBeDefined();
});

/** Bundles the code that size-limit measures into .build/size, in the way an application's bundler would. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneFile } from './one-file.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Each entry point, with the modules that do not count towards its size. */
const BUNDLES = [
  { entryPoint: 'verdict' },
  { entryPoint: 'guard' },
  { entryPoint: 'client' },
  // Those who check a passport decide by the verdict, which has chunks of its own.
  { entryPoint: 'proof', external: [/\/chunks\/(?:currency|shared|verdict)-/] },
  { entryPoint: 'tokens' },
  { entryPoint: 'verifier' },
  { entryPoint: 'oidc', external: [/\/chunks\/(?:errors|known-options)-/, 'openid-client'] },
  // An adapter shares the guard with whatever made the guard.
  ...['ai-sdk', 'claude-agent', 'langchain', 'mcp', 'openai-agents'].map((name) => ({
    entryPoint: `guard/${name}`,
    external: [/\/guard\.js$/, /\/chunks\/(?:errors|guarded-tools|guarded-view|usage-of)-/, 'langchain'],
  })),
];

const folder = join(root, '.build/size');
mkdirSync(folder, { recursive: true });
for (const { entryPoint, file = entryPoint.replace('/', '-'), external } of BUNDLES) {
  writeFileSync(join(folder, `${file}.js`), await oneFile(join(root, `dist/${entryPoint}.js`), external));
}

/** The least that an application embeds: a service without capabilities, in memory. */
const least = join(folder, 'least.mjs');
writeFileSync(
  least,
  `export { createIdentityService } from '../../dist/index.js';
export { memoryStorage } from '../../dist/storage/memory.js';
`,
);
writeFileSync(join(folder, 'core.js'), await oneFile(least));

/** The documents of agents and domains, for an application that signs elsewhere. */
const documents = join(folder, 'documents.mjs');
writeFileSync(
  documents,
  `export { agentDocument, agentKeySet, didHandler, didListener, domainDocument } from '../../dist/identity.js';
`,
);
writeFileSync(join(folder, 'documents.js'), await oneFile(documents));

/** Bundles what size-limit measures into .build/size, as a host's own bundler would. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Each door with what is not counted as its own. */
const BUNDLES = [
  { door: 'verdict' },
  { door: 'guard' },
  // Those who check a passport decide by the verdict, which is a chunk of its own.
  { door: 'proof', external: [/\/chunks\/verdict-/] },
  { door: 'aip', external: [/\/chunks\/verdict-/] },
  { door: 'did' },
  { door: 'index', platform: 'node', file: 'core' },
  // An adapter shares the guard with whatever made the guard.
  ...['ai-sdk', 'langchain', 'mcp', 'openai-agents'].map((name) => ({
    door: `guard/${name}`,
    external: [/\/guard\.js$/, /\/chunks\/(?:errors|guarded-tools)-/, 'langchain'],
  })),
];

for (const { door, file = door.replace('/', '-'), platform = 'neutral', external = [] } of BUNDLES) {
  await build({
    ...{ input: join(root, `dist/${door}.js`), external, platform, logLevel: 'silent' },
    output: { file: join(root, `.build/size/${file}.js`), minify: true, codeSplitting: false },
  });
}

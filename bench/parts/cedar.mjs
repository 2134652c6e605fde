/**
 * Measures Cedar in WebAssembly in its own process. Node 20 crashes in a loop with Cedar unless it runs with
 * `--no-turbo-inline-js-wasm-calls`.
 */
import { compareWith } from '../lib/compare.mjs';
import { openCedar } from '../peers/in-process.mjs';

await compareWith(
  { '@cedar-policy/cedar-wasm, cached policies': openCedar },
  { title: 'Action and limit only, against Cedar', intents: 1_000 },
);

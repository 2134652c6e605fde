/**
 * Tries the guards with packages that are too large for the project, or need a newer Node: npm run test:recipes
 *
 * Installs them with the packed project into a folder of its own, compiles every recipe against their types, and runs
 * on Node 24 the recipes for Fastify, Nest, Mastra, Strands and OpenCode, the matrix of the guards with `ai` 7, the conformance suite of MCP
 * with and without the guard, and a real Claude Code whose model is a script.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRecipes, root, SERVICE } from './recipes.mjs';

/** Claude Code, which the SDK runs: an optional package for each platform. */
const CLAUDE_CODE = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
const PACKAGES = [
  ...['fastify@5.12.8', 'hono@4.13.19', '@langchain/core@1.4.0', '@langchain/langgraph@1.7.3', 'zod@4.6.7'],
  ...[
    '@nestjs/core@12.5.1',
    '@nestjs/common@12.5.1',
    '@nestjs/platform-express@12.5.1',
    'rxjs@7',
    'reflect-metadata',
  ],
  ...[
    '@anthropic-ai/claude-agent-sdk@0.3.330',
    `${CLAUDE_CODE}@0.3.330`,
    '@mastra/core@1.71.0',
    '@strands-agents/sdk@1.19.0',
    '@opencode-ai/plugin@1.18.33',
    '@opentelemetry/api@1',
    '@google/adk@2.0.0',
    'ai@7.0.173',
  ],
  ...['express@5', '@types/express@5', '@types/node@24'],
  ...['@modelcontextprotocol/sdk@1.32.2', '@modelcontextprotocol/conformance@0.1.16'],
];
const NODE = ['--yes', '-p', 'node@24', '--', 'node'];

const folder = mkdtempSync(join(tmpdir(), 'agent-identity-recipes-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const run = (command, args, cwd = folder) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const [{ filename }] = JSON.parse(
  run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], root),
);
writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
console.log('installing …');
run('npm', [
  ...[
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--omit=optional',
    '--legacy-peer-deps',
    '--silent',
  ],
  ...[join(folder, filename), ...PACKAGES],
]);

const names = new Map();
for (const [heading, text] of readRecipes()) {
  const name = `${heading.toLowerCase().replaceAll(' ', '-')}.ts`;
  names.set(heading, name);
  writeFileSync(join(folder, name), text.replaceAll('./service.js', './service.ts'));
}
writeFileSync(join(folder, 'service.ts'), SERVICE);
const compilerOptions = {
  ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'], types: ['node'] },
  ...{ module: 'nodenext', moduleResolution: 'nodenext', strict: true, skipLibCheck: true, noEmit: true },
  ...{ allowImportingTsExtensions: true, verbatimModuleSyntax: true },
};
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...names.values()] }));
try {
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
} catch (error) {
  console.error(error.stdout);
  process.exit(1);
}
console.log(`compiled: ${[...names.keys()].join(', ')}`);

cpSync(join(root, 'test/guard/matrix.mjs'), join(folder, 'matrix.mjs'));
cpSync(join(root, 'test/guard/frameworks/ai-sdk.mjs'), join(folder, 'ai-sdk.mjs'));
cpSync(join(root, 'test/recipes/on-node-24.mjs'), join(folder, 'on-node-24.mjs'));
console.log(run('npx', [...NODE, 'on-node-24.mjs']).trimEnd());
cpSync(join(root, 'test/recipes/conformance.mjs'), join(folder, 'conformance.mjs'));
console.log(run('npx', [...NODE, 'conformance.mjs']).trimEnd());
cpSync(join(root, 'test/recipes/claude-agent.mjs'), join(folder, 'claude-agent.mjs'));
console.log(run('npx', [...NODE, 'claude-agent.mjs']).trimEnd());
cpSync(join(root, 'test/recipes/strands.mjs'), join(folder, 'strands.mjs'));
console.log(run('npx', [...NODE, 'strands.mjs']).trimEnd());

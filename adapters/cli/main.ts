#!/usr/bin/env node
/** The command `agent-identity`. It reads the arguments and sets the exit code. */
import { unsupportedNode } from '../../src/http/binding.ts';

const unsupported = unsupportedNode(process.versions);
if (unsupported === undefined) {
  // Loaded only now: an older Node would fail in one of the modules, with a stack that does not name the reason.
  if (process.argv[2] === 'mcp-guard') import('./mcp-guard.ts').then(({ runMcpGuard }) => runMcpGuard());
  else if (process.argv[2] === 'hook') import('./hook.ts').then(({ runHook }) => runHook());
  else import('./program.ts').then(({ runProgram }) => runProgram());
} else {
  process.stderr.write(`agent-identity: ${unsupported}\n`);
  process.exitCode = 2;
}

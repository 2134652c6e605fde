#!/usr/bin/env node
/** The command `agent-identity`. It reads the arguments and sets the exit code. */
import { unsupportedNode } from '../../src/http/binding.ts';

const nodeProblem = unsupportedNode(process.versions);
if (nodeProblem === undefined) {
  // Loaded only now: an older Node would fail in one of the modules, with a stack that does not name the reason.
  if (process.argv[2] === 'mcp-guard') import('./mcp-guard.ts').then(({ runMcpGuard }) => runMcpGuard());
  else if (process.argv[2] === 'hook') import('./hook.ts').then(({ runHook }) => runHook());
  else import('./program.ts').then(({ runProgram }) => runProgram());
} else {
  process.stderr.write(`agent-identity: ${nodeProblem}\n`);
  process.exitCode = 2;
}

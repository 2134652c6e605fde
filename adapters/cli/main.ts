#!/usr/bin/env node
/** The command `agent-identity`: argv in, exit code out. */
import { EXIT, outputError } from './output/error.ts';
import { guardOutput } from './output/terminal.ts';
import { createProgram } from './program.ts';

guardOutput();
process.once('uncaughtException', (thrown) => {
  outputError(thrown);
  process.exit(EXIT.failure);
});
createProgram().parseAsync().catch(outputError);

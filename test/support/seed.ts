import * as fc from 'fast-check';
import { afterAll } from 'vitest';
import { closeAll } from './closers.ts';

/** CI checks a commit, not a draw: there the same cases are tried each time. At the desk every run tries others. */
if (process.env['CI']) fc.configureGlobal({ seed: 20261120 });

afterAll(closeAll);

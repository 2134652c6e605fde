/** The folder of the installed package, in which the program of the hook lies. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Returns the absolute path of the package, without links. */
export function packageFolder(): string {
  const manifest = createRequire(import.meta.url).resolve('agent-identity-service/package.json');
  return realpathSync(dirname(manifest));
}

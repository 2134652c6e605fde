/** Every script that a module of the Redis adapter defines, found by import and not by a list. */
import type { Script } from '../../adapters/storage/redis/script.ts';

type ScriptModule = typeof import('../../adapters/storage/redis/script.ts');

/** Returns the module of scripts with functions that note each script they define, by its digest. */
export function notingScripts(module: ScriptModule, scripts: Map<string, Script>): ScriptModule {
  const noted =
    (define: (text: string) => Script) =>
    (text: string): Script => {
      const script = define(text);
      scripts.set(script.sha, script);
      return script;
    };
  return {
    ...module,
    defineScript: noted(module.defineScript),
    defineGuarded: noted(module.defineGuarded),
  };
}

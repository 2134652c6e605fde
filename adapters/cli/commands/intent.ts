import type { Command } from 'commander';
import type { Intent } from '../../../src/index.ts';
import { type PrivateJwk, type SignIntentOptions, signIntent } from '../../../src/proof/index.ts';
import { jsonOption } from '../backend/backend.ts';
import { readJsonFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
import { print, printJson } from '../output/terminal.ts';

interface SignOptions {
  readonly key: string;
  readonly audience: string;
  readonly seconds?: string;
  readonly anyTarget?: true;
  readonly json?: true;
}

/** Adds `intent sign`: a proof of possession, made by the holder of the private key. */
export function addIntentCommands(program: Command): void {
  const intent = program.command('intent').description('Intents that an agent signs with its own key');

  intent
    .command('sign')
    .description('sign what an agent is about to do, for one service and one ALLOW')
    .argument('<file>', 'a JSON file with the intent, - for stdin')
    .requiredOption('--key <file>', 'the private key, as agent-key generate made it')
    .requiredOption('--audience <url>', 'the public URL of the service, or another name that it accepts')
    .option('--seconds <n>', 'how long the proof is valid (default: 60)')
    .option('--any-target', 'sign an intent without a target: any host of the service can use it')
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action(async (file: string, options: SignOptions) => {
      const given = await readJsonFile(file);
      const { agent_id } = given;
      if (typeof agent_id !== 'string') throw usageError('The intent names no agent_id.');
      const proof = await signIntent(given as unknown as Intent, {
        ...(await signing(options)),
        agent_id,
      });
      if (options.json) printJson({ ...given, proof });
      else print(proof);
    });
}

async function signing({
  key,
  audience,
  seconds,
  anyTarget,
}: SignOptions): Promise<Omit<SignIntentOptions, 'agent_id'>> {
  const read = await readJsonFile(key);
  const { private_jwk = read } = read;
  return {
    key: private_jwk as PrivateJwk,
    audience,
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...(anyTarget && { anyTarget }),
  };
}

const AFTER = `
The proof is printed, with --json the intent with the proof in it.

Example:
  $ agent-identity intent sign intent.json --key agent-key.json --audience http://localhost:3000/api --json \\
      | agent-identity verify -`;

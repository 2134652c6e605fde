import { open } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { generateAgentKey } from '../../../src/proof/index.ts';
import { usageError } from '../output/error.ts';
import { printJson } from '../output/terminal.ts';

interface GenerateOptions {
  readonly alg?: 'EdDSA' | 'ES256';
  readonly out?: string;
}

/** Adds `agent-key generate`: no service is asked. */
export function addAgentKeyCommands(program: Command): void {
  const key = program.command('agent-key').description('Keys of agents, which sign their intents');

  key
    .command('generate')
    .description('make a key pair; nothing is stored but the file of --out')
    .addOption(new Option('--alg <name>', 'its algorithm (default: EdDSA)').choices(['EdDSA', 'ES256']))
    .option('--out <file>', 'writes the private key there, readable by you alone, and prints the public one')
    .addHelpText('after', AFTER)
    .action(async ({ alg = 'EdDSA', out }: GenerateOptions) => {
      const { private_jwk, public_jwk, kid } = await generateAgentKey(alg);
      if (out === undefined) return printJson({ private_jwk, public_jwk: { ...public_jwk, kid, alg }, kid });
      await writePrivate(out, { ...private_jwk, kid, alg });
      printJson({ ...public_jwk, kid, alg });
    });
}

/** A new file that only its owner can read; an existing one stays as it is. */
async function writePrivate(path: string, jwk: object): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'EEXIST' ? 'exists already' : `cannot be written (${cause.code})`;
    throw usageError(`${path} ${why}.`, cause);
  });
  try {
    await file.writeFile(`${JSON.stringify(jwk)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

const AFTER = `
Without --out both keys are printed as JSON. intent sign accepts either form.

Example:
  $ agent-identity agent-key generate --out agent-key.json > agent-public-key.json`;

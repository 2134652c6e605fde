import { open } from 'node:fs/promises';
import { Option } from 'commander';
import { generateAgentKey } from '../../../src/tokens/proof/index.ts';
import { usageError } from '../output/error.ts';
import { printJson } from '../output/terminal.ts';
import type { CommandGroup } from './command.ts';

interface GenerateOptions {
  readonly alg?: 'EdDSA' | 'ES256';
  readonly out?: string;
}

export const agentKeyCommands: CommandGroup = {
  name: 'agent-key',
  summary: 'manage agent keys, which sign intents',
  commands: [
    {
      name: 'generate',
      summary: 'generate a key pair for an agent',
      options: [
        new Option('--alg <name>', 'algorithm of the new key (default: EdDSA)').choices(['EdDSA', 'ES256']),
        new Option(
          '--out <file>',
          'file for the private key, which only you can read; the command prints the public key',
        ),
      ],
      notes:
        'Without --out, the command prints both keys as JSON and stores nothing. `intent sign --key` accepts both forms: the file of --out, or a file with this JSON.',
      examples: ['agent-identity agent-key generate --out agent-key.json > agent-public-key.json'],
      async run(_args, { alg = 'EdDSA', out }: GenerateOptions) {
        const { private_jwk, public_jwk, kid } = await generateAgentKey(alg);
        if (out === undefined)
          return printJson({ private_jwk, public_jwk: { ...public_jwk, kid, alg }, kid });
        await writePrivate(out, { ...private_jwk, kid, alg });
        printJson({ ...public_jwk, kid, alg });
      },
    },
  ],
};

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

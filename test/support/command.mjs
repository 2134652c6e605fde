/**
 * The exit code of a program of ours: 0 after `--help`, 2 after a mistake on the command line, else what `run` says.
 *
 * @template Given
 * @param {{ usage: string, readOptions: () => Given | undefined, run: (given: Given) => Promise<number> }} program
 *   `readOptions` throws for a mistake and gives back nothing where help is asked for.
 * @returns {Promise<number>}
 */
export async function runCommand({ usage, readOptions, run }) {
  let given;
  try {
    given = readOptions();
  } catch (error) {
    console.error(`${error.message}\nSee --help.`);
    return 2;
  }
  if (given === undefined) {
    console.log(usage);
    return 0;
  }
  return run(given);
}

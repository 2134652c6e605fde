/**
 * Returns the exit code of a program of this project: 0 after `--help`, 2 after a mistake on the command line, else
 * the result of `run`.
 *
 * @template Given
 * @param {{ usage: string, readOptions: () => Given | undefined, run: (given: Given) => Promise<number> }} program
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

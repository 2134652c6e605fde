/** The files that the tool `apply_patch` changes. */

const HEADER = /^\s*\*\*\* (?:Add File|Delete File|Update File|Move to): (.*\S)\s*$/;
const FRAME = /^\*\*\* (?:Begin Patch|End Patch|End of File)\s*$/;

/** Returns the names of all files in a patch. Throws for a patch that cannot be read. */
export function patchedFiles(input: Readonly<Record<string, unknown>>): readonly string[] {
  const patch = input['command'] ?? input['patch'] ?? input['input'];
  if (typeof patch !== 'string') throw new TypeError();
  return patch.split(/\r?\n|\r/).flatMap((line) => {
    const [, file] = HEADER.exec(line) ?? [];
    if (file !== undefined) return [file];
    // A line that begins another part of a patch, which this version does not know.
    if (line.startsWith('***') && !FRAME.test(line)) throw new TypeError();
    return [];
  });
}

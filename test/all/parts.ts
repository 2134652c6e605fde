/** The parts of the test files: each takes about as long as the others, with its programs. */
import { PARTS, PROGRAMS } from './programs.mjs';
import { SECONDS } from './seconds.ts';

/** The seconds of a file that SECONDS does not name. */
const OTHERS_SECONDS = 4;
/** A program runs alone: its seconds count as those of this many files at a time, on a busy machine. */
const FILES_AT_A_TIME = 3;

interface Part {
  readonly files: string[];
  seconds: number;
}

/** Spreads the files over the parts: each file, the longest first, goes where the least is to be done. */
export function partsOf(files: readonly string[]): readonly Readonly<Part>[] {
  const parts: readonly [Part, ...Part[]] = newParts();
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one) || order(one, other))) {
    const least = parts.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    least.files.push(file);
    least.seconds += secondsOf(file);
  }
  return parts;
}

function newParts(): [Part, ...Part[]] {
  return PARTS.map((programs) => ({
    files: [],
    seconds: programs.reduce((sum, name) => sum + FILES_AT_A_TIME * (PROGRAMS[name]?.seconds ?? 0), 0),
  })) as unknown as [Part, ...Part[]];
}

function secondsOf(file: string): number {
  return SECONDS[file] ?? OTHERS_SECONDS;
}

function order(one: string, other: string): number {
  return one < other ? -1 : 1;
}

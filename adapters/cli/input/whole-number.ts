import { InvalidArgumentError } from 'commander';

export function wholeNumber(start: number, end: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^[0-9]{1,7}$/.test(text) && number >= start && number <= end) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${start} to ${end}.`);
  };
}

/** Parses a whole number. The service refuses any other text, and names the valid numbers. */
export function numberOf(text: string): number | string {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : text;
}

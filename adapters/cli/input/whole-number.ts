import { InvalidArgumentError } from 'commander';

export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^[0-9]{1,7}$/.test(text) && number >= from && number <= to) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`);
  };
}

export function refusalOf(subject: string): string | undefined;
export function check(folder: string): string[];

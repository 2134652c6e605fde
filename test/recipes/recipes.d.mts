export const root: string;
export const SERVICE: string;
export function readRecipes(): ReadonlyMap<string, string>;

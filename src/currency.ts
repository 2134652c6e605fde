/**
 * ISO 4217 list one, up to amendment 180: active currencies and funds. The place in the list is their number of
 * decimals; a capital is the first letter of the pairs behind it (`Bamnd` is BAM and BND), which are in lower case
 * because that packs smaller. A code that was withdrawn (HRK, SLL, ZWL, CUC, ANG, BGN) is none. Removing one in use
 * takes a new major version: a passport that names it would then deny everything.
 */
const CODES: readonly string[] = [
  'BifClpDjfGnfIskJpyKmfrwPygRwfUgxyiVnduvXafofpf',
  '',
  'AedfnllmdoarsudwgznBambddtmdndobovrlsdtnwpynzdCaddfhehfhwnyopourcupvezkDkkopzdEgprntburFjdkp' +
    'GbpelhsipmdtqydHkdnltgufIdrlsnrrrJmdKesgshrpwydztLakbpkrrdslMaddlgakdmkntopruurvrwkxnxvyrzn' +
    'NadgniookprzdPabengkhpkrlnQarRonsdubSarbdcrdgekgdhpleosrdsptnvcypzlThbjsmtoprytdwdzsUahsdsnyuzs' +
    'VedesWstXadcdcgYerZarmwwg',
  'BhdIqdJodKwdLydOmrTnd',
  'ClfUyw',
  '',
  // Metals, units of account, test and no currency: ISO gives them no minor unit, so the service's own maximum holds.
  'Xagaubabbbcbddrpdptsutsuaxx',
];

const PAIRS = /(?<=([A-Z])[a-z]*)[a-z]{2}/g;

const DECIMALS: ReadonlyMap<string, number> = new Map(
  CODES.flatMap((groups, decimals) =>
    Array.from(
      groups.matchAll(PAIRS),
      ([pair, first]) => [`${first}${pair.toUpperCase()}`, decimals] as const,
    ),
  ),
);

/** The number of decimals of an active ISO 4217 code (6 where ISO gives none), or `undefined` for any other text. */
export function currencyDecimals(code: string): number | undefined {
  return DECIMALS.get(code);
}

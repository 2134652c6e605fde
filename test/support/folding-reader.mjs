/**
 * Objects as a server reads them that compares names as Go's `encoding/json` does. A field is set by its exact name,
 * or by a name that is equal without its case. The last member wins. The server also ends names at U+0000 and trims
 * them, as readers in C and lenient readers do.
 */

function isEqual(name, field) {
  const letters = [...field].map((letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`).join('');
  const [beforeNul = ''] = name.split('\0');
  return [name.replaceAll('\0', ''), beforeNul].some((form) =>
    new RegExp(`^${letters}$`, 'iu').test(form.trim()),
  );
}

/** The fields of these names that such a server finds in a value. */
function readFolded(value, fields) {
  const read = {};
  for (const [name, member] of Object.entries(Object(value))) {
    const field = fields.find((known) => known === name) ?? fields.find((known) => isEqual(name, known));
    if (field !== undefined) read[field] = member;
  }
  return read;
}

/** The call of a tool that such a server runs for a line, with the member `amount` of its arguments. */
export function callIn(line, amount = 'amount') {
  const { method, id, params } = readFolded(JSON.parse(line), ['jsonrpc', 'id', 'method', 'params']);
  const { name, arguments: args } = readFolded(params, ['name', 'arguments', '_meta']);
  return { id, method, name, amount: readFolded(args, [amount])[amount] };
}

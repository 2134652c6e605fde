/** Saves contents as a file of this name. */
export function saveFile(name: string, contents: Blob): void {
  const address = URL.createObjectURL(contents);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

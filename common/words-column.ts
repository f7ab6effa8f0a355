/** True if most cells of a column, head aside, are no numbers; such a column is aligned to the left. */
export function isOfWords(cells: readonly string[]): boolean {
  const known = cells.filter((cell) => cell !== '' && cell !== '-');
  return 2 * known.filter((cell) => /^[-+]?\d/.test(cell)).length < known.length;
}

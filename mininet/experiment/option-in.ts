/** The value of an option among the words of a command line; the last one counts. */
export function optionIn(words: readonly string[], option: string): string | undefined {
  const at = words.lastIndexOf(option);
  return at < 0 ? undefined : words[at + 1];
}

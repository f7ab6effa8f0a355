/** Returns the command line, quoted so that it can be typed again. */
export function typedCommand(given: readonly string[] = process.argv.slice(2)): string {
  return ['./hpcc', ...given.map(quoted)].join(' ');
}

/** Quotes a word for a shell. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

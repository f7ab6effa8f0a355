/** What was typed, as it can be typed again. */
export function typedCommand(given: readonly string[] = process.argv.slice(2)): string {
  return ['./hpcc', ...given.map(quoted)].join(' ');
}

/** As a shell takes it for one word. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

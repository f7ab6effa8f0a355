/** Stands for `common/io/terminal` in the playground's bundle: the page shows what a terminal would. */
let listener: (line: string) => void = () => undefined;

/** Hands lines to a listener from now on. */
export function listenToNotes(next: (line: string) => void): void {
  listener = next;
}

/** Shows a line that is not part of a result. */
export function note(line: string): void {
  listener(line);
}

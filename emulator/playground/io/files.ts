/**
 * Files in memory, in place of `node:fs` and `node:fs/promises` where there are none: the playground's bundle
 * takes this module for both. It holds what the page has given it, read-only for the program.
 */
const FILES = new Map<string, string>();

/** Adds files, by their absolute names. */
export function addFiles(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) FILES.set(name, text);
}

const missing = (name: string): Error =>
  Object.assign(new Error(`ENOENT: no such file, open '${name}'`), { code: 'ENOENT' });

/** The text of a file. @throws the error of Node for one that is not there. */
export function readFileSync(name: string): string {
  const text = FILES.get(name);
  if (text === undefined) throw missing(name);
  return text;
}

/** As {@link readFileSync}, later. */
export function readFile(name: string): Promise<string> {
  return Promise.resolve(name).then(readFileSync);
}

/** Names of the files of a folder. */
export function readdirSync(folder: string): string[] {
  const within = `${folder}/`;
  return [...FILES.keys()]
    .filter((name) => name.startsWith(within) && !name.slice(within.length).includes('/'))
    .map((name) => name.slice(within.length));
}

export const existsSync = (name: string): boolean => FILES.has(name);

const refuse = (): never => {
  throw new Error('files cannot be written here');
};

export { refuse as mkdtempSync, refuse as writeFileSync, refuse as openSync };

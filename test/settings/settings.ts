import * as fs from 'node:fs';
import * as path from 'node:path';

/** A machine that the tests shall pass on, made of this one by leaving something out. */
export interface Setting {
  readonly name: string;
  /** The folders of programs that are looked through in it; may make folders of links in `folder`. */
  readonly searchPath: (folder: string) => string;
  /** Whether it runs without the rights of root. */
  readonly unprivileged?: boolean;
}

/** The P4 compiler, and bmv2 with its tools. */
const P4_PROGRAM = /^(p4c|p4test|simple_switch|psa_switch|pna_nic|bm_)/;

/** What the launcher and npm call, as every system has it; git, Python and the rest are not among it. */
const NODE_AND_BASICS: readonly string[] = [
  ...['node', 'npm', 'npx', 'sh', 'env'],
  ...['cat', 'chmod', 'cmp', 'cp', 'date', 'dirname', 'find', 'grep', 'head', 'id', 'ln', 'ls'],
  ...['mkdir', 'mv', 'readlink', 'rm', 'rmdir', 'sed', 'sleep', 'sort', 'tail', 'touch', 'tr'],
  ...['true', 'uname', 'wc'],
];

/** PATH as it was before `npm run` put the programs of this checkout in front. */
export const ownPath = (searchPath: string): string =>
  searchPath
    .split(path.delimiter)
    .filter((folder) => !/node_modules\/\.bin$|node-gyp-bin$/.test(folder))
    .join(path.delimiter);

/** An environment as it was before `npm run` named this user's cache, files and scripts in it. */
export const withoutNpm = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^npm_/i.test(name)));

/** The folders of PATH that are there, in their order. */
const foldersOf = (searchPath: string): string[] =>
  searchPath.split(path.delimiter).filter((folder) => folder !== '' && fs.existsSync(folder));

/**
 * PATH without some programs. A folder that has none of them stays; one that has is replaced by a new
 * one of links to the others.
 * @param links where folders of links are made.
 */
export function pathWithout(searchPath: string, unwanted: RegExp, links: string): string {
  const kept = foldersOf(searchPath).map((folder, i) => {
    const names = fs.readdirSync(folder);
    if (!names.some((name) => unwanted.test(name))) return folder;
    const replacement = path.join(links, String(i));
    fs.mkdirSync(replacement, { recursive: true });
    for (const name of names.filter((candidate) => !unwanted.test(candidate))) {
      fs.symlinkSync(path.join(folder, name), path.join(replacement, name));
    }
    return replacement;
  });
  return kept.join(path.delimiter);
}

/**
 * PATH of one new folder of links, which has nothing but these programs.
 * @throws when one of them is nowhere on `searchPath`.
 */
export function pathOfOnly(searchPath: string, names: readonly string[], links: string): string {
  fs.mkdirSync(links, { recursive: true });
  for (const name of names) {
    const candidates = foldersOf(searchPath).map((folder) => path.join(folder, name));
    const found = candidates.find((file) => fs.existsSync(file));
    if (found === undefined) throw new Error(`${name} is not on PATH`);
    fs.symlinkSync(found, path.join(links, name));
  }
  return links;
}

/**
 * The settings in the order in which they run.
 * @param searchPath PATH of this machine.
 * @param otherBmv2 folder of another bmv2: of two, one is built with NDEBUG and checks no indices.
 */
export function settings(searchPath: string, otherBmv2?: string): readonly Setting[] {
  const other: readonly Setting[] =
    otherBmv2 === undefined
      ? []
      : [
          {
            name: 'other-bmv2',
            searchPath: () => [otherBmv2, searchPath].join(path.delimiter),
          },
        ];
  return [
    { name: 'everything', searchPath: () => searchPath },
    ...other,
    { name: 'no-p4', searchPath: (folder) => pathWithout(searchPath, P4_PROGRAM, folder) },
    { name: 'no-root', searchPath: () => searchPath, unprivileged: true },
    { name: 'only-node', searchPath: (folder) => pathOfOnly(searchPath, NODE_AND_BASICS, folder) },
  ];
}

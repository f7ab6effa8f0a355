import { P4_PROFILES, p4Sources } from '../../../common/io/p4-profiles';

const TOP_LINES = 100;
const BLOCK_LINES = 120;
const COLUMNS = 100;
const TOPS = new Map(P4_PROFILES.map((profile) => [profile.name, profile]));
const SOURCES = new Map(P4_PROFILES.flatMap((profile) => [...p4Sources(profile)]));

const lines = (text: string): number => text.trimEnd().split('\n').length;

const names = (matches: (name: string, text: string) => boolean): string[] =>
  [...SOURCES].filter(([name, text]) => matches(name, text)).map(([name]) => name);

describe('the P4 sources', () => {
  test.each([...TOPS])('top program of %s is a table of contents', (_name, { program }) => {
    expect(lines(SOURCES.get(program) ?? '')).toBeLessThanOrEqual(TOP_LINES);
  });

  test('blocks are short', () => {
    const long = names((name, text) => name.startsWith('blocks/') && lines(text) > BLOCK_LINES);
    expect(long).toEqual([]);
  });

  test('blocks say at their end what ends', () => {
    const open = names((name, text) => {
      const control = /^control (\w+)/m.exec(text)?.[1] ?? '';
      return name.startsWith('blocks/') && !text.includes(`\n}  /* ${control} */\n`);
    });
    expect(open).toEqual([]);
  });

  test('the preprocessor includes, guards and names numbers only, and says what it ends', () => {
    const unnamed = names((_name, text) => /^#(endif\s*$|if\s|elif|else)/m.test(stripped(text)));
    expect(unnamed).toEqual([]);
  });

  test('lines fit', () => {
    expect(names((_name, text) => text.split('\n').some((line) => line.length > COLUMNS))).toEqual(
      [],
    );
  });
});

/** Without the guards of single numbers in config files, which end on the next line but one. */
const stripped = (text: string): string =>
  text.replace(/^#ifndef (\w+)\n#define \1 .*\n#endif$/gm, '');

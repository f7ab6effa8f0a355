import * as path from 'node:path';
import { P4_PROFILES, TNA_PROGRAMS, p4Sources } from '../../../common/io/p4-profiles';

const TOP_LINES = 100;
const BLOCK_LINES = 120;
const COLUMNS = 100;
const PROGRAMS = [...P4_PROFILES, ...TNA_PROGRAMS];
const TOPS = new Map(PROGRAMS.map((profile) => [profile.program, profile]));
const SOURCES = new Map(PROGRAMS.flatMap((profile) => [...p4Sources(profile)]));

const PARTS = /\/(packet|parsers?|deparsers?|types)\.p4$/;

/** A block decides one thing; a profile's folder holds its top program and its packet besides. */
const isBlock = (name: string): boolean =>
  name.startsWith('blocks/') ||
  name.startsWith('portable/') ||
  (/^(profiles|targets)[/]/.test(name) &&
    !PARTS.test(name) &&
    !PROGRAMS.some(({ program }) => program === name));

const lines = (text: string): number => text.trimEnd().split('\n').length;

const names = (matches: (name: string, text: string) => boolean): string[] =>
  [...SOURCES].filter(([name, text]) => matches(name, text)).map(([name]) => name);

describe('the P4 sources', () => {
  test.each([...TOPS])('top program of %s is a table of contents', (_name, { program }) => {
    expect(lines(SOURCES.get(program) ?? '')).toBeLessThanOrEqual(TOP_LINES);
  });

  test('blocks say at their end what ends, and are short', () => {
    const wrong = names((name, text) => {
      const controls = [...text.matchAll(/^control (\w+)[^]*?^\}(?:  \/\* (\w+) \*\/)?$/gm)];
      return (
        isBlock(name) &&
        controls.some(([body, name, end]) => name !== end || lines(body) > BLOCK_LINES)
      );
    });
    expect(wrong).toEqual([]);
  });

  test('what only one profile includes stands with it', () => {
    const users = (name: string): number =>
      P4_PROFILES.filter(({ twinOf }) => twinOf === undefined).filter((profile) =>
        p4Sources(profile).has(name),
      ).length;
    expect(names((name) => name.startsWith('blocks/') && users(name) < 2)).toEqual([]);
  });

  test('every profile has a packet header of its own, which no shared source includes', () => {
    const own = P4_PROFILES.map(({ program }) => path.posix.join(program, '../packet.p4'));
    expect(own.filter((name) => !SOURCES.has(name))).toEqual([]);
    const shared = names(
      (name, text) => !/^(profiles|targets)[/]/.test(name) && text.includes('packet.p4"'),
    );
    expect(shared).toEqual(['hpcc.p4']);
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

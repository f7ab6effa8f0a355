import * as path from 'node:path';
import { P4_PROFILES, TNA_PROGRAMS, p4Sources } from '../../../common/io/p4-profiles';

const TOP_LINES = 100;
const BLOCK_LINES = 120;
const COLUMNS = 100;
const PROGRAMS = [...P4_PROFILES, ...TNA_PROGRAMS];
const TOPS = new Map(PROGRAMS.map((profile) => [profile.program, profile]));
const SOURCES = new Map(PROGRAMS.flatMap((profile) => [...p4Sources(profile)]));

const PARTS = /(headers|metadata|parsers?|deparsers?|types|format|structs)\.p4$/;

/** A block decides one thing; a profile's folder holds its top program and its packet besides. */
const isBlock = (name: string): boolean =>
  /^(v1model|tofino)[/]/.test(name) &&
  !PARTS.test(name) &&
  !PROGRAMS.some(({ program }) => program === name);

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
      new Set(P4_PROFILES.filter((each) => p4Sources(each).has(name)).map((each) => each.program))
        .size;
    expect(names((name) => name.startsWith('v1model/blocks/') && users(name) < 2)).toEqual([]);
  });

  test('every profile has headers of its own, which no shared source includes', () => {
    const headers = (program: string): string =>
      `${path.posix.dirname(program)}/${path.posix.basename(program, '.p4').replaceAll('-', '_')}_headers.p4`;
    const own = P4_PROFILES.map(({ program }) => headers(program));
    expect(own.filter((name) => !SOURCES.has(name))).toEqual([]);
    const shared = names(
      (name, text) =>
        !/[/](profiles|programs)[/]/.test(name) &&
        own.some((each) => text.includes(`${path.posix.basename(each)}"`)),
    );
    expect(shared).toEqual([]);
  });

  test('the targets have no control of one name, but for what each defines for itself', () => {
    const controls = (target: RegExp): string[] =>
      [...SOURCES]
        .filter(([name]) => target.test(name))
        .flatMap(([, text]) =>
          [...text.matchAll(/^control (\w+)/gm)].map(([, name]) => name ?? ''),
        );
    const ofV1model = new Set(controls(/^v1model[/]/));
    const twice = controls(/^tofino[/]blocks[/]/).filter((name) => ofV1model.has(name));
    expect(twice).toEqual([]);
  });

  test('ids of controllers are given once, below the next free one', () => {
    const text = SOURCES.get('common/ids.p4') ?? '';
    const ids = [...text.matchAll(/^#define \w+_ID 0x(\w+)$/gm)].map(([, id]) => id ?? '');
    const free = [...text.matchAll(/Next free id: 0x(\w+)/g)].map(([, id]) =>
      parseInt(id ?? '', 16),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const ranges = ids.map((id) => free.filter((next) => next >>> 24 === parseInt(id, 16) >>> 24));
    expect(ids.filter((id, i) => !(parseInt(id, 16) < (ranges[i]?.[0] ?? 0)))).toEqual([]);
  });

  test('the preprocessor includes, guards, names numbers and tells chips apart, and says what it ends', () => {
    const unnamed = names((_name, text) =>
      /^#(endif\s*$|if\s(?!__TARGET_TOFINO__ == \d$)|elif|else\s*$)/m.test(stripped(text)),
    );
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

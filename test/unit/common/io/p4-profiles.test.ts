import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../../../common/errors';
import {
  P4_PROFILES,
  TNA_PROGRAMS,
  p4Profile,
  p4SourceFolder,
} from '../../../../common/io/p4-profiles';
import { p4Sources, sourcesDigest } from '../../../../common/io/p4-profiles';

describe('P4 profiles', () => {
  test('are found by name, and an unknown name lists those there are', () => {
    expect(p4Profile('hpcc').program).toBe('v1model/profiles/hpcc/hpcc.p4');
    const names = P4_PROFILES.map(({ name }) => name).join(', ');
    const wanted = new InputError(`no profile 'hpc': expected one of ${names}`);
    expect(() => p4Profile('hpc')).toThrow(wanted);
  });

  test('have names of their own', () => {
    const names = P4_PROFILES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('have a digest that depends on the flags', () => {
    const profile = p4Profile('hpcc');
    const flagged = { ...profile, flags: ['INT_DSCP=0x18'] };
    expect(sourcesDigest(flagged)).not.toBe(sourcesDigest(profile));
  });

  test('are made of their own sources only', () => {
    const names = [...p4Sources(p4Profile('hpcc')).keys()];
    expect(names).toContain('v1model/profiles/hpcc/hpcc.p4');
    expect(names).toContain('v1model/blocks/int_growth.p4');
    expect(names.filter((name) => /profiles[/](?!hpcc[/])/.test(name))).toEqual([]);
  });

  test('refuse a program that cannot be read, by its path', () => {
    const file = path.join(p4SourceFolder(), 'profiles/none.p4');
    const wanted = new InputError(`P4 source ${file} cannot be read`);
    expect(() => p4Sources({ name: 'none', program: 'profiles/none.p4', flags: [] })).toThrow(
      wanted,
    );
  });

  test('leave no source unused', () => {
    const programs = [...P4_PROFILES, ...TNA_PROGRAMS];
    const used = new Set(programs.flatMap((profile) => [...p4Sources(profile).keys()]));
    const all = fs
      .readdirSync(p4SourceFolder(), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.p4'))
      .map((name) => name.split(path.sep).join('/'));
    expect(all.filter((name) => !used.has(name))).toEqual([]);
  });
});

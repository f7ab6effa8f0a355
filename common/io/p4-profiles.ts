import { InputError } from '../errors';

/** One compiled data plane: a top program and the named flags with which it is compiled. */
export interface P4Profile {
  /** Name of the artefacts: `<name>.json`, `<name>.p4info.json`, `<name>.manifest.json`. */
  readonly name: string;
  /** The top program, relative to p4src. */
  readonly program: string;
  /** Preprocessor symbols that the program is compiled with, each `NAME` or `NAME=VALUE`. */
  readonly flags: readonly string[];
}

/** Every data plane of the project. What is not in this list is never compiled. */
export const P4_PROFILES: readonly P4Profile[] = [
  { name: 'hpcc', program: 'hpcc.p4', flags: [] },
  { name: 'hpcc-edge', program: 'profiles/hpcc-edge.p4', flags: [] },
  { name: 'hpcc-feedback', program: 'profiles/hpcc-feedback.p4', flags: [] },
  { name: 'hpcc-queues', program: 'profiles/hpcc-queues.p4', flags: [] },
  { name: 'hpcc-ccm', program: 'profiles/hpcc-ccm.p4', flags: [] },
  { name: 'padding', program: 'profiles/padding.p4', flags: [] },
  { name: 'ioam', program: 'profiles/ioam.p4', flags: [] },
  { name: 'ifa', program: 'profiles/ifa.p4', flags: [] },
  { name: 'csig', program: 'profiles/csig.p4', flags: [] },
];

/** Finds a profile. Throws InputError, with the names there are, when there is none. */
export function p4Profile(name: string): P4Profile {
  const found = P4_PROFILES.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const names = P4_PROFILES.map((profile) => profile.name).join(', ');
  throw new InputError(`no profile '${name}': expected one of ${names}`);
}

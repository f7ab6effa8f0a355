import * as path from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { readPrivateText } from '../../host-agent/io/keys/secret-document';
import { openOutputFolder } from '../../common/io/output-folder';
import { requireStore } from '../../emulator/study/io/kept-results';
import { loadStudy } from '../../emulator/study/io/load-study';
import type { LoadedStudy } from '../../emulator/study/io/load-study';
import { StudySession } from '../../emulator/study/io/study-session';

/** More cells than this are made only when asked for twice. */
const CELLS_WITHOUT_ASKING = 100_000;

export interface StudyFlags {
  readonly folder?: string;
  readonly database?: string;
  readonly yes?: true;
}

/** Options of all commands that look into a study. */
export function withStudyOptions(command: Command): Command {
  return command
    .argument('<study>', 'file of a study')
    .option('--folder <folder>', 'its database and files (default: out/study-<name>)')
    .addOption(databaseOption('a server, in place of the database in the folder'))
    .option('--yes', `also with more than ${CELLS_WITHOUT_ASKING} cells`);
}

/**
 * The option that names a database. A password in it shows in the list of processes, so the address may also come
 * from a private file or the environment, and the password from PGPASSFILE or PGPASSWORD.
 */
export const databaseOption = (what: string): Option =>
  new Option('--database <url>', `${what}: postgres://user@host/name, or @FILE that has it`)
    .env('HPCC_DATABASE')
    .argParser(databaseAddress);

function databaseAddress(text: string): string {
  if (!text.startsWith('@')) return text;
  return readPrivateText({ option: '--database', path: text.slice(1) }).trim();
}

/** @throws InputError for a grid that is larger than anybody means, unless told that it is meant. */
export const chooseStudy = (file: string, { yes }: StudyFlags): LoadedStudy =>
  loadStudy(file, yes === true ? Infinity : CELLS_WITHOUT_ASKING);

/** The action of a command that opens a study, does something with it, and closes it whatever happens. */
export const inSession =
  <F extends StudyFlags>(use: (session: StudySession, flags: F) => Promise<void>) =>
  (file: string, flags: F): Promise<void> =>
    withOpen(chooseStudy(file, flags), flags, (session) => use(session, flags));

/** The same of a study that has been read. */
export async function withOpen<T>(
  study: LoadedStudy,
  flags: StudyFlags,
  use: (session: StudySession) => Promise<T>,
): Promise<T> {
  const { folder, database } = flags;
  const session = await StudySession.open(study, {
    ...(folder !== undefined && { folder }),
    ...(database !== undefined && { database }),
  });
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/**
 * Resolves the place of whole results: a folder to its absolute path, as every process finds it; a store as
 * it is.
 */
export function keptAt(where: string | undefined): string | undefined {
  if (where === undefined) return undefined;
  if (where.includes('://')) {
    requireStore(where);
    return where;
  }
  openOutputFolder(where);
  return path.resolve(where);
}

/** Adds the option that gives judges and algorithms of files all rights. */
export const withCodeTrust = (command: Command): Command =>
  command.option(
    '--trust',
    'run judges and algorithms of files with all rights of the process, not in compartments',
  );

/** Signal of the first interruption; a second one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** `45 s`, `12 min` or `3.5 h`: nobody plans by the second. */
export function timeText(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

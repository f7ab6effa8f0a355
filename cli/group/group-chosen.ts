import * as readline from 'node:readline';
import { InputError } from '../../common/errors';
import { goBeforeHelpers } from '../../common/io/loop/thread-priority';
import { endOfRun } from '../../common/io/end-of-run';
import { OWN_PROCESS } from '../../common/io/environment';
import { print } from '../../common/io/terminal';
import { obey } from './group-commands';
import { readGroup } from './group-document';
import { NodeGroup } from './node-group';
import type { GroupEvent } from './node-group';

/** Options of `hpcc group`. */
export interface GroupFlags {
  readonly commands: boolean;
  readonly beforeHelpers: boolean;
}

/** Runs the nodes that the command line of `hpcc group` names until they have ended, or it is interrupted. */
export async function groupChosen(
  file: string | undefined,
  { commands, beforeHelpers }: GroupFlags,
): Promise<void> {
  if (file === undefined && !commands) {
    throw new InputError('give a file with nodes, or --commands');
  }
  const nodes = file === undefined ? [] : readGroup(file);
  if (beforeHelpers) goBeforeHelpers();
  const group = new NodeGroup(tell);
  const ending = endOfRun(OWN_PROCESS);
  for (const node of nodes) start(() => group.start(node));
  if (commands) obeyInput(group, ending.end);
  else void group.ended().then(ending.end);
  await ending.promise;
  group.stop();
  await group.ended();
  // An open pipe would keep the process.
  if (commands) process.stdin.destroy();
  if (!commands && !group.haveAllSucceeded) process.exitCode = 1;
}

const tell = (event: GroupEvent): void => print(JSON.stringify(event));

/** Reports an action that fails; the nodes that run go on. */
function start(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    tell({ event: 'refused', reason: error.message });
    process.exitCode = 1;
  }
}

/** @param atEnd called when no command can follow, as when whoever gave them is dead. */
function obeyInput(group: NodeGroup, atEnd: () => void): void {
  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', (line) => start(() => obey(line, group)));
  lines.on('close', atEnd);
}

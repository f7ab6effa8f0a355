import { Command, CommanderError } from 'commander';
import { failureText } from '../../common/errors';
import type { Surroundings } from '../../common/io/surroundings';
import { runSwitch } from '../../switch/io/run-switch';
import { registerAgent } from '../commands/agent';
import { registerSend } from '../commands/send';

type Run = (words: readonly string[], surroundings: Surroundings) => Promise<void>;

/** The commands of which several can share a process. */
export const NODE_COMMANDS: ReadonlyMap<string, Run> = new Map<string, Run>([
  ['switch', ([, ...rest], surroundings) => runSwitch(rest, surroundings)],
  ['agent', (words, surroundings) => parse(registerAgent, words, surroundings)],
  ['send', (words, surroundings) => parse(registerSend, words, surroundings)],
]);

/**
 * Does what `hpcc` with these words does, in a process that it shares. Whatever goes wrong is told
 * on its standard error and by its exit code.
 */
export async function runNodeCommand(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  try {
    await NODE_COMMANDS.get(words[0] ?? '')?.(words, surroundings);
  } catch (error) {
    const isParsing = error instanceof CommanderError;
    if (!isParsing) surroundings.write(2, `hpcc: ${failureText(error)}\n`);
    surroundings.setExitCode(isParsing ? error.exitCode : 1);
  }
}

async function parse(
  register: (program: Command, surroundings: Surroundings) => void,
  words: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  const program = new Command('hpcc').exitOverride().configureOutput({
    writeOut: (text) => surroundings.write(1, text),
    writeErr: (text) => surroundings.write(2, text),
  });
  register(program, surroundings);
  await program.parseAsync(words, { from: 'user' });
}

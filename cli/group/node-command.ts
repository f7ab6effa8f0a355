import { Command, CommanderError } from 'commander';
import { failureText } from '../../common/errors';
import type { Environment } from '../../common/io/environment';
import { runSwitch } from '../../switch/io/run-switch';
import { registerAgent } from '../commands/agent';
import { registerSend } from '../commands/send';

type Run = (words: readonly string[], environment: Environment) => Promise<void>;

/** The commands of which several can share a process. */
export const NODE_COMMANDS: ReadonlyMap<string, Run> = new Map<string, Run>([
  ['switch', ([, ...rest], environment) => runSwitch(rest, environment)],
  ['agent', (words, environment) => parse(registerAgent, words, environment)],
  ['send', (words, environment) => parse(registerSend, words, environment)],
]);

/**
 * Does what `hpcc` with these words does, in a process that it shares. Whatever goes wrong is told
 * on its standard error and by its exit code.
 */
export async function runNodeCommand(
  words: readonly string[],
  environment: Environment,
): Promise<void> {
  try {
    await NODE_COMMANDS.get(words[0] ?? '')?.(words, environment);
  } catch (error) {
    const isParsing = error instanceof CommanderError;
    if (!isParsing) environment.write(2, `hpcc: ${failureText(error)}\n`);
    environment.setExitCode(isParsing ? error.exitCode : 1);
  }
}

async function parse(
  register: (command: Command, environment: Environment) => void,
  [name = '', ...rest]: readonly string[],
  environment: Environment,
): Promise<void> {
  const program = new Command('hpcc').exitOverride().configureOutput({
    writeOut: (text) => environment.write(1, text),
    writeErr: (text) => environment.write(2, text),
  });
  register(program.command(name), environment);
  await program.parseAsync([name, ...rest], { from: 'user' });
}

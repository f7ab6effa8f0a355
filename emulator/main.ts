import { Command, CommanderError } from 'commander';
import { InputError } from '../common/errors';
import { projectVersion } from '../common/io/repository';
import { registerController } from '../controller/main';
import { registerAgent } from './io/commands/agent';
import { registerBench } from './io/commands/bench';
import { registerCompare } from './io/commands/compare';
import { registerDecode } from './io/commands/decode';
import { registerDemo } from './io/commands/demo';
import { registerEmit } from './io/commands/emit';
import { registerP4 } from './io/commands/p4';
import { registerProto } from './io/commands/proto';
import { registerReplay } from './io/commands/replay';
import { registerRun } from './io/commands/run';
import { registerSend } from './io/commands/send';
import { registerStf } from './io/commands/stf';
import { registerSwitch } from './io/commands/switch';
import { registerTest } from './io/commands/test';

function commandLine(): Command {
  const program = new Command('hpcc');
  program
    .description('HPCC++ on P4: telemetry, control plane, hosts, and a network in virtual time.')
    .version(projectVersion())
    .showHelpAfterError('(hpcc --help lists commands and options)')
    .exitOverride();
  registerDemo(program);
  registerRun(program);
  registerCompare(program);
  registerReplay(program);
  registerAgent(program);
  registerBench(program);
  registerController(program);
  registerDecode(program);
  registerEmit(program);
  registerP4(program);
  registerProto(program);
  registerSend(program);
  registerSwitch(program);
  registerStf(program);
  registerTest(program);
  return program;
}

/** Errors that a person can mend are one message and exit code 1; others keep their stack. */
async function main(): Promise<void> {
  try {
    await commandLine().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
    } else if (error instanceof InputError) {
      process.stderr.write(`hpcc: ${error.message}\n`);
      process.exitCode = 1;
    } else {
      throw error;
    }
  }
}

void main();

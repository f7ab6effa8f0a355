import { Command } from 'commander';
import { projectVersion } from '../../common/io/repository';
import { registerController } from '../../controller/main';
import { registerAgent } from './commands/agent';
import { registerBench } from './commands/bench';
import { registerCompare } from './commands/compare';
import { registerCoordination } from './commands/coordination';
import { registerDecode } from './commands/decode';
import { registerDemo } from './commands/demo';
import { registerEmit } from './commands/emit';
import { registerMininet } from './commands/mininet';
import { registerP4 } from './commands/p4';
import { registerProto } from './commands/proto';
import { registerReplay } from './commands/replay';
import { registerRun } from './commands/run';
import { registerSend } from './commands/send';
import { registerStf } from './commands/stf';
import { registerSwitch } from './commands/switch';
import { registerTest } from './commands/test';

/** Every command of `hpcc`, with its options. */
export function commandLine(): Command {
  const program = new Command('hpcc');
  program
    .description('HPCC++ on P4: telemetry, control plane, hosts, and a network in virtual time.')
    .version(projectVersion())
    .showHelpAfterError('(hpcc --help lists commands and options)')
    .exitOverride();
  registerDemo(program);
  registerRun(program);
  registerCompare(program);
  registerCoordination(program);
  registerReplay(program);
  registerAgent(program);
  registerBench(program);
  registerController(program);
  registerDecode(program);
  registerEmit(program);
  registerMininet(program);
  registerP4(program);
  registerProto(program);
  registerSend(program);
  registerSwitch(program);
  registerStf(program);
  registerTest(program);
  return program;
}
